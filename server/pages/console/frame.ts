/** The page around every page of the console. */
import { ICON_PATH, SCRIPT_PATH, STYLE_PATH } from "./assets.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "../language.ts";
import { type Content, html, type Markup } from "../markup.ts";
import type { Flash, Visitor } from "./visit.ts";
import type { Word } from "./words.ts";

/** In the order of the menu. */
const MENU: readonly (readonly [Word, string])[] = [
  ["overview", "/console"],
  ["documents", "/console/documents"],
  ["merchants", "/console/merchants"],
  ["connections", "/console/connections"],
  ["webhooks", "/console/webhooks"],
  ["events", "/console/events"],
  ["requests", "/console/requests"],
  ["calls", "/console/calls"],
];

function menu({ say, here, mode }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  const path = here.split("?", 1)[0]!;
  const items = MENU.map(([word, to]) => {
    const isHere = path === to || (to !== "/console" && path.startsWith(`${to}/`));
    return html`<li><a href="${to}"${isHere && html` aria-current="page"`}>${say(word)}</a></li>`;
  });
  return html`<nav class="menu" aria-label="${say("main menu")}"><ul>${items}</ul></nav>`;
}

function modeMark({ say, mode }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  const note = say(mode === "live" ? "live note" : "test note");
  return html`<strong class="mode mode-${mode}" title="${note}">${say(mode === "live" ? "live mode" : "test mode")}</strong>`;
}

/** None on the answer to a form: there is nothing to come back to. */
function languageSwitch({ language, csrf, here, isPosted }: Visitor): Markup | undefined {
  if (isPosted) return undefined;
  const other = LANGUAGES.find((candidate) => candidate !== language)!;
  return html`<form method="post" action="/console/language"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="next" value="${here}"><button class="plain" name="language" value="${other}" lang="${other}">${LANGUAGE_NAMES[other]}</button></form>`;
}

function signOut({ say, csrf, mode }: Visitor): Markup | undefined {
  if (mode === undefined) return undefined;
  return html`<form method="post" action="/console/sign-out"><input type="hidden" name="csrf" value="${csrf}"><button class="plain">${say("sign out")}</button></form>`;
}

function flashText({ say }: Visitor, flash: Flash | undefined): Markup | undefined {
  if (flash === undefined) return undefined;
  // What was done is what a person came for: it has the focus, so that it is read out and the next key goes on from there.
  return html`<p class="flash" role="status" tabindex="-1" autofocus>${say(flash.word, { count: flash.count ?? 0 })}</p>`;
}

/** decisions 15: a restored appliance reads, and sends nothing. */
function heldBanner({ say, isHeld }: Visitor): Markup | undefined {
  if (!isHeld) return undefined;
  return html`<div class="held" role="note"><p><strong>${say("appliance held")}</strong> ${say("appliance held lead")} <code>fiscal resume</code></p></div>`;
}

export interface FrameParts {
  title: string;
  content: Content;
  flash: Flash | undefined;
}

/** The whole page, as text. */
export function framePage(visitor: Visitor, { title, content, flash }: FrameParts): string {
  const { say, language, mode } = visitor;
  const { text } = html`<html lang="${language}" data-mode="${mode ?? "none"}" data-visit="${visitor.csrf}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · fiscal${mode !== undefined && ` ${mode.toUpperCase()}`}</title>
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#content">${say("skip")}</a>
<header>
<div class="bar"><a class="brand" href="/console">fiscal</a>${modeMark(visitor)}<div class="tools">${languageSwitch(visitor)}${signOut(visitor)}</div></div>
${menu(visitor)}
${heldBanner(visitor)}
</header>
<main id="content" tabindex="-1">
<h1>${title}</h1>
${flashText(visitor, flash)}
${content}
</main>
<p id="announcement" class="announcement" role="status" data-updated="${say("updated")}" data-lost="${say("connection lost")}" data-ended="${say("signed out meanwhile")}" data-pause="${say("pause updates")}"></p>
</body>
</html>
`;
  return `<!doctype html>\n${text}`;
}
