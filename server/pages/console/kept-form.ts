/** Keeps what was typed in a form whose session has ended, until the person has signed in again. Nothing is done with it. */
import { TEXTS } from "./messages.ts";
import { html } from "../markup.ts";
import type { Page, Visitor } from "./visit.ts";

/** `resumePath` shows the form again. A visitor who is signed in has signed in again since the form was shown. */
export function keptFormPage(visitor: Visitor, form: ReadonlyMap<string, string>, resumePath: string): Page {
  const { translate, csrf, mode } = visitor;
  const isSignedIn = mode !== undefined;
  const hidden = [...form]
    .filter(([name]) => name !== "csrf")
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return {
    kind: "page",
    status: isSignedIn ? 403 : 401,
    title: translate(TEXTS.formKept),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${translate(isSignedIn ? TEXTS.keptSignedIn : TEXTS.keptSignedOut)}</p></div><form method="post" action="${resumePath}"><input type="hidden" name="csrf" value="${csrf}">${hidden}<div class="actions">${
      !isSignedIn &&
      html`<a class="button" href="/console/sign-in" target="_blank" rel="noopener">${translate(TEXTS.signInElsewhere)}</a>`
    }<button class="primary">${translate(TEXTS.continue)}</button></div></form>`,
  };
}
