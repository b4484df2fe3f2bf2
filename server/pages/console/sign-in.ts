/** Signing in and out, and choosing a language and a merchant. Only the button uses up a sign-in link, because mail previews open links. */
import { MODE_NAMES, MODE_NOTES, TEXTS } from "./messages.ts";
import {
  type ClosedLink,
  endConsoleSession,
  findConsoleLinkState,
  signInWithKey,
  signInWithLink,
} from "../../../src/console/sign-in.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { isLanguage } from "../language.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { formField, postForm } from "./forms.ts";
import { alert } from "./parts.ts";
import { type Page, type Reply, returnPath, type Route, type Visitor } from "./visit.ts";
import { REQUIRED } from "../../../src/foundation/messages.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";

const HOME = "/console";
const SIGN_IN = "/console/sign-in";

function problem(text: Text): Markup {
  return alert(html`<p>${text}</p>`);
}

function keyForm(visitor: Visitor): Markup {
  const key = formField(undefined, {
    name: "key",
    type: "password",
    label: TEXTS.apiKey,
    note: TEXTS.keyHint,
    value: "",
    more: html` required maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none"`,
  });
  const form = postForm(visitor, { action: SIGN_IN, content: key, button: TEXTS.signIn });
  return html`<section class="narrow">${form}</section>`;
}

function signInPage(visitor: Visitor, status: number, trouble?: Content): Page {
  return {
    kind: "page",
    status,
    title: TEXTS.signIn,
    content: html`${trouble}<p>${TEXTS.signInIntro} <code>fiscal console</code></p>${keyForm(visitor)}`,
  };
}

/** For an action after the session has ended. */
export function sessionOverPage(visitor: Visitor): Page {
  return signInPage(visitor, 401, problem(TEXTS.sessionOver));
}

/** Counts a failed attempt; 429 after too many from one address. */
async function refuse(visitor: Visitor, status: number, reason: Text): Promise<Page> {
  const window = await visitor.windows.count("failed_sign_ins", visitor.address);
  const seconds = window?.retryAfterSeconds;
  if (seconds === undefined) return signInPage(visitor, status, problem(reason));
  return { ...signInPage(visitor, 429, problem(TEXTS.tooMany(seconds))), retryAfterSeconds: seconds };
}

/** Replaces any earlier session: a browser has only one. */
async function welcome(visitor: Visitor, token: string): Promise<Reply> {
  if (visitor.session !== undefined) await endConsoleSession(visitor.appliance, visitor.session);
  return { kind: "redirect", to: HOME, flash: { code: "signedIn" }, session: token };
}

async function showSignIn(visitor: Visitor): Promise<Reply> {
  return visitor.mode === undefined ? signInPage(visitor, 200) : { kind: "redirect", to: HOME };
}

async function submitKey(visitor: Visitor): Promise<Reply> {
  const key = (visitor.form.get("key") ?? "").trim();
  // Nobody guesses a key with an empty form, so it does not count as an attempt.
  if (key === "") return signInPage(visitor, 400, problem(joinTexts([TEXTS.apiKey, REQUIRED], " ")));
  const opened = await signInWithKey(visitor.appliance, key);
  return opened === undefined ? refuse(visitor, 401, TEXTS.keyRefused) : welcome(visitor, opened);
}

/** 404 for a link that never existed, 410 for one that did. */
function closedLink(visitor: Visitor, kind: ClosedLink): Promise<Page> {
  return refuse(visitor, kind === "unknown" ? 404 : 410, TEXTS.linkIsClosed);
}

async function showLink(visitor: Visitor): Promise<Reply> {
  const { appliance, params, here } = visitor;
  const state = await findConsoleLinkState(appliance, params["token"] ?? "");
  if (typeof state === "string") return closedLink(visitor, state);
  const note = MODE_NOTES[state.mode];
  return {
    kind: "page",
    title: TEXTS.signIn,
    content: html`<section class="narrow stack"><p><strong class="mode mode-${state.mode}">${MODE_NAMES[state.mode]}</strong></p><p>${note}</p>
<form method="post" action="${here.split("?", 1)[0]}"><button class="primary">${TEXTS.signIn}</button></form>
<p class="hint">${TEXTS.linkNote}</p></section>`,
  };
}

async function submitLink(visitor: Visitor): Promise<Reply> {
  const opened = await signInWithLink(visitor.appliance, visitor.params["token"] ?? "");
  return typeof opened === "string" ? closedLink(visitor, opened) : welcome(visitor, opened.token);
}

async function signOut(visitor: Visitor): Promise<Reply> {
  if (visitor.session !== undefined) await endConsoleSession(visitor.appliance, visitor.session);
  return { kind: "redirect", to: SIGN_IN, flash: { code: "signedOut" }, session: "" };
}

async function chooseLanguage(visitor: Visitor): Promise<Reply> {
  const asked = visitor.form.get("language");
  const language = isLanguage(asked) ? asked : visitor.language;
  return { kind: "redirect", to: returnPath(visitor, HOME), language };
}

/** Also for those who only look: it changes only what this browser shows. */
async function chooseMerchant(visitor: Visitor): Promise<Reply> {
  const wanted = visitor.form.get("shop") ?? "";
  const merchant = wanted === "" ? "" : (await getMerchant(visitor.appliance, wanted)).id;
  return { kind: "redirect", to: returnPath(visitor, HOME), merchant };
}

export const SIGN_IN_ROUTES: readonly Route[] = [
  { method: "GET", path: "/sign-in", isOpen: true, handle: showSignIn },
  { method: "POST", path: "/sign-in", isOpen: true, handle: submitKey },
  { method: "GET", path: "/sign-in/:token", isOpen: true, handle: showLink },
  { method: "POST", path: "/sign-in/:token", isOpen: true, isSecretLink: true, handle: submitLink },
  { method: "POST", path: "/sign-out", isOpen: true, handle: signOut },
  { method: "POST", path: "/language", isOpen: true, handle: chooseLanguage },
  { method: "POST", path: "/merchant", isOpen: true, handle: chooseMerchant },
];
