/** The frame around every console page: header, menu, banners. */
import { FLASH_MESSAGES, type FlashCode, MODE_NAMES, MODE_NOTES, TEXTS } from "./messages.ts";
import { ASSETS } from "../assets.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../language.ts";
import { html, type Markup } from "../markup.ts";
import type { Flash, Page, Visitor } from "./visit.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { hiddenFields, menuOptions } from "./parts.ts";
import { htmlDocument } from "../page.ts";

/** Shown only where the operator allows it. */
const KEYS = "/console/keys";

const MENU: readonly (readonly [Text, readonly (readonly [Text, string])[]])[] = [
  [
    TEXTS.workMenu,
    [
      [TEXTS.overview, "/console"],
      [TEXTS.issueMenu, "/console/new"],
      [TEXTS.documents, "/console/documents"],
      [TEXTS.upload, "/console/upload"],
      [TEXTS.customers, "/console/customers"],
      [TEXTS.reports, "/console/reports"],
    ],
  ],
  [
    TEXTS.setUpMenu,
    [
      [TEXTS.merchants, "/console/merchants"],
      [TEXTS.connections, "/console/connections"],
      [TEXTS.webhooks, "/console/webhooks"],
      [TEXTS.keys, KEYS],
    ],
  ],
  [
    TEXTS.technicalMenu,
    [
      [TEXTS.events, "/console/events"],
      [TEXTS.requests, "/console/requests"],
      [TEXTS.calls, "/console/calls"],
    ],
  ],
];

/** Not shown to a read-only session. */
const FORMS: ReadonlySet<string> = new Set(["/console/new", "/console/upload"]);

function menu({ here, mode, isReadOnly, appliance }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  const path = here.split("?", 1)[0]!;
  const item = ([label, to]: readonly [Text, string]) => {
    const isHere = path === to || (to !== "/console" && path.startsWith(`${to}/`));
    return html`<li><a href="${to}"${isHere && html` aria-current="page"`}>${label}</a></li>`;
  };
  const groups = MENU.map(([name, items], index) => {
    const shown = items.filter(([, to]) =>
      to === KEYS ? appliance.config.console.manageKeys : !isReadOnly || !FORMS.has(to),
    );
    return html`<p id="menu-${index}">${name}</p><ul aria-labelledby="menu-${index}">${shown.map(item)}</ul>`;
  });
  return html`<nav class="menu" aria-label="${TEXTS.mainMenu}"><div>${groups}</div></nav>`;
}

/** On small screens it opens the menu, without scripts. */
function burger({ mode }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  return html`<details class="burger"><summary>${TEXTS.menu}</summary></details>`;
}

/** The merchant that the visitor works for, and the form that switches to another one. */
function merchantSwitch({ csrf, here, isPosted, merchant, merchants }: Visitor): Markup | undefined {
  if (merchants.length === 0) return undefined;
  if (isPosted || (merchants.length === 1 && merchant !== undefined))
    return html`<span class="shop">${merchant?.name}</span>`;
  const offered = [
    { value: "", text: TEXTS.allMerchants },
    ...merchants.map(({ id, name }) => ({ value: id, text: name })),
  ];
  return html`<details class="shop"><summary>${merchant?.name ?? TEXTS.allMerchants}</summary><form method="post" action="/console/merchant" class="stack">${hiddenFields(
    [
      ["csrf", csrf],
      ["next", here],
    ],
  )}<div><label for="shop">${TEXTS.merchant}</label><select id="shop" name="shop">${menuOptions(offered, merchant?.id)}</select></div><button class="primary">${TEXTS.switchMerchant}</button></form></details>`;
}

function modeMark({ mode, isReadOnly }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  const note = MODE_NOTES[mode];
  return html`<strong class="mode mode-${mode}" title="${note}">${MODE_NAMES[mode]}</strong>${isReadOnly && html` <span class="mode">${TEXTS.readOnly}</span>`}`;
}

/** Not on the response to a form, which cannot be opened again. */
function languageSwitch({ language, csrf, here, isPosted }: Visitor): Markup | undefined {
  if (isPosted) return undefined;
  const other = LANGUAGES.find((candidate) => candidate !== language)!;
  return html`<form method="post" action="/console/language"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="next" value="${here}"><button class="plain" name="language" value="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</button></form>`;
}

function signOut({ csrf, mode }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  return html`<form method="post" action="/console/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="plain">${TEXTS.signOut}</button></form>`;
}

const FLASHES_OF_TROUBLE: ReadonlySet<FlashCode> = new Set(["refused", "noEvent", "noneChosen"]);

function flashBanner(flash: Flash | undefined): Markup | undefined {
  if (flash === undefined) return undefined;
  const message = FLASH_MESSAGES[flash.code];
  const text = typeof message === "function" ? message(flash.count ?? 0) : message;
  const { secret } = flash;
  const look = FLASHES_OF_TROUBLE.has(flash.code) ? "problem" : "flash";
  // It gets the focus, so that screen readers announce it and the keyboard continues from there.
  return html`<div class="${look}" role="status" tabindex="-1" autofocus><p>${text}</p>${secret !== undefined && html`<code class="address" tabindex="0">${secret}</code>`}</div>`;
}

/** Shown while a restored appliance is held (docs/contract.md#held-appliance). */
function heldBanner({ isHeld }: Visitor): Markup | undefined {
  if (!isHeld) return undefined;
  return html`<div class="held" role="note"><p><strong>${TEXTS.applianceHeld}</strong> ${TEXTS.applianceHeldNote} <code>fiscal resume</code></p></div>`;
}

export function framePage(visitor: Visitor, { title, content }: Page, flash: Flash | undefined): string {
  const { language, mode } = visitor;
  return htmlDocument({
    language,
    attributes: html` data-mode="${mode ?? "none"}" data-visit="${visitor.csrf}"`,
    title: html`${title} · fiscal${mode !== undefined && ` ${mode.toUpperCase()}`}`,
    head: html`<link rel="icon" type="image/svg+xml" href="/${ASSETS.icon}">
<link rel="stylesheet" href="/${ASSETS.style}">
<script src="/${ASSETS.consoleScript}" defer></script>`,
    body: html`<body class="console${mode === undefined && " guest"}">
<a class="skip" href="#content">${TEXTS.skip}</a>
<header class="top">${burger(visitor)}<a class="brand" href="/console">fiscal</a>${modeMark(visitor)}${merchantSwitch(visitor)}<div class="tools">${languageSwitch(visitor)}${signOut(visitor)}</div></header>
${menu(visitor)}
<main id="content" tabindex="-1">
${heldBanner(visitor)}<h1>${title}</h1>
${flashBanner(flash)}
${content}
</main>
<p id="announcement" class="announcement" role="status" data-updated="${TEXTS.updated}" data-lost="${TEXTS.connectionLost}" data-ended="${TEXTS.signedOutMeanwhile}" data-pause="${TEXTS.pauseUpdates}"></p>
</body>`,
  });
}
