/** Signing in and out, and choosing a language. A link is used up by its button, not by opening it: previews open links. */
import {
  endConsoleSession,
  lookAtConsoleLink,
  type OpenedSession,
  signInWithKey,
  signInWithLink,
} from "../../../src/console/sign-in.ts";
import { isLanguage } from "../language.ts";
import { type Content, html } from "../markup.ts";
import { type Page, type Reply, returnPath, type Route, type Visitor } from "./visit.ts";
import type { Word } from "./words.ts";

const HOME = "/console";
const SIGN_IN = "/console/sign-in";

function problem(text: string): Content {
  return html`<div class="problem" role="alert"><p>${text}</p></div>`;
}

function keyForm({ say, csrf }: Visitor): Content {
  return html`<section class="narrow"><form method="post" action="${SIGN_IN}" class="stack">
<input type="hidden" name="csrf" value="${csrf}">
<div><label for="key">${say("API key")}</label><p class="hint" id="key-hint">${say("key hint")}</p>
<input id="key" name="key" type="password" required maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="key-hint"></div>
<button class="primary">${say("sign in")}</button>
</form></section>`;
}

function signInPage(visitor: Visitor, status: number, trouble?: Content): Page {
  const { say } = visitor;
  return {
    kind: "page",
    status,
    title: say("sign in"),
    content: html`${trouble}<p>${say("sign in lead")} <code>fiscal console</code></p>${keyForm(visitor)}`,
  };
}

/** What was asked for needs somebody who is signed in, and nobody is any more. */
export function sessionOverPage(visitor: Visitor): Page {
  return signInPage(visitor, 401, problem(visitor.say("session over")));
}

function refuse(visitor: Visitor, status: number, word: Word, next?: Word): Page {
  const seconds = visitor.attempts.fail();
  if (seconds === undefined) {
    const text = next === undefined ? visitor.say(word) : `${visitor.say(word)} ${visitor.say(next)}`;
    return signInPage(visitor, status, problem(text));
  }
  return {
    ...signInPage(visitor, 429, problem(visitor.say("too many", { seconds }))),
    retryAfterSeconds: seconds,
  };
}

/** The session that was there before ends: a browser has one. */
async function welcome(visitor: Visitor, { token }: OpenedSession): Promise<Reply> {
  if (visitor.session !== undefined) await endConsoleSession(visitor.appliance, visitor.session);
  return {
    kind: "redirect",
    to: HOME,
    flash: { word: "flash signed in" },
    session: { kind: "opened", token },
  };
}

async function showSignIn(visitor: Visitor): Promise<Reply> {
  return visitor.mode === undefined ? signInPage(visitor, 200) : { kind: "redirect", to: HOME };
}

async function submitKey(visitor: Visitor): Promise<Reply> {
  const opened = await signInWithKey(visitor.appliance, (visitor.form.get("key") ?? "").trim());
  return opened === undefined ? refuse(visitor, 401, "key refused") : welcome(visitor, opened);
}

/** 404 for a link that never was, 410 for one that was. */
function closedLink(visitor: Visitor, kind: "unknown" | "used" | "expired"): Page {
  return refuse(visitor, kind === "unknown" ? 404 : 410, `link is ${kind}`, "link again");
}

async function showLink(visitor: Visitor): Promise<Reply> {
  const { appliance, params, say, csrf, here } = visitor;
  const state = await lookAtConsoleLink(appliance, params["token"] ?? "");
  if (state.kind !== "open") return closedLink(visitor, state.kind);
  const note = say(state.mode === "live" ? "live note" : "test note");
  return {
    kind: "page",
    title: say("sign in"),
    content: html`<section class="narrow stack"><p><strong class="mode mode-${state.mode}">${say(`${state.mode} mode`)}</strong></p><p>${note}</p>
<form method="post" action="${here.split("?", 1)[0]}"><input type="hidden" name="csrf" value="${csrf}"><button class="primary">${say("sign in")}</button></form>
<p class="hint">${say("link lead")}</p></section>`,
  };
}

async function submitLink(visitor: Visitor): Promise<Reply> {
  const signedIn = await signInWithLink(visitor.appliance, visitor.params["token"] ?? "");
  if ("token" in signedIn) return welcome(visitor, signedIn);
  // It was open in the same write that would have used it.
  if (signedIn.kind === "open") throw new Error("An open link did not sign in");
  return closedLink(visitor, signedIn.kind);
}

async function signOut(visitor: Visitor): Promise<Reply> {
  if (visitor.session !== undefined) await endConsoleSession(visitor.appliance, visitor.session);
  return {
    kind: "redirect",
    to: SIGN_IN,
    flash: { word: "flash signed out" },
    session: { kind: "ended" },
  };
}

async function chooseLanguage(visitor: Visitor): Promise<Reply> {
  const asked = visitor.form.get("language");
  const language = isLanguage(asked) ? asked : visitor.language;
  return { kind: "redirect", to: returnPath(visitor, HOME), language };
}

export const SIGN_IN_ROUTES: readonly Route[] = [
  { method: "GET", path: "/sign-in", isOpen: true, handle: showSignIn },
  { method: "POST", path: "/sign-in", isOpen: true, handle: submitKey },
  { method: "GET", path: "/sign-in/:token", isOpen: true, handle: showLink },
  { method: "POST", path: "/sign-in/:token", isOpen: true, handle: submitLink },
  { method: "POST", path: "/sign-out", isOpen: true, handle: signOut },
  { method: "POST", path: "/language", isOpen: true, handle: chooseLanguage },
];
