/**
 * Error pages, and those that keep what was filled in: until the person has signed in again if the session of a form has ended, and to
 * try again what could not be done now.
 */
import { TEXTS } from "./messages.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { STATUS_OF } from "../../errors.ts";
import { heldError } from "../../../src/journal/held.ts";
import type { StepName, Text } from "../../../src/foundation/text.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { alert, errorText, hiddenFields } from "./parts.ts";
import type { SentForm } from "../form.ts";
import { type Page, returnPath, type Visitor } from "./visit.ts";

/** Shows a refused action with its error and a link back, by default to the page of the action. */
export function problemPage(visitor: Visitor, error: AppError, back?: string): Page {
  const { retryAfterSeconds } = error;
  const status = STATUS_OF[error.code];
  if (error.code === "not_found") return notFoundPage();
  return {
    kind: "page",
    status,
    title: TEXTS.actionFailed,
    content: html`${alert(html`<p>${errorText(error.toOutcomeError())}</p>${stepLink(error.text)}`)}${backLink(visitor, back)}`,
    retryAfterSeconds,
  };
}

/** Where the console has the next step; nothing where it has no page for it. */
const PAGES: Partial<Record<StepName, (id: string) => string>> = {
  creditDocument: (id) => (id === "" ? "/console/documents" : `/console/documents/${id}/credit`),
  listMerchants: () => "/console/merchants",
  updateMerchant: (id) => `/console/merchants/${id}`,
  verifyConnection: () => "/console/connections",
};

export function stepLink({ next }: Text): Markup | undefined {
  const path = next && PAGES[next.operation]?.(next.id ?? "");
  return path === undefined ? undefined : html`<p><a href="${path}">${TEXTS.nextStep}</a></p>`;
}

function backLink(visitor: Visitor, back?: string) {
  const { here } = visitor;
  return html`<p><a class="button" href="${returnPath(visitor, back ?? here.split("?", 1)[0]!)}">${TEXTS.back}</a></p>`;
}

/** Accepting refuses too; this says so before anything is typed or previewed. */
export function refuseWhileHeld({ isHeld }: Visitor): void {
  if (isHeld) throw heldError(TEXTS.notIssued);
}

function failurePage(status: number, title: Text, content: Content): Page {
  return { kind: "page", status, title, content };
}

const HOME_LINK = html`<p><a class="button" href="/console">${TEXTS.overview}</a></p>`;

export function notFoundPage(): Page {
  const note = html`<p>${TEXTS.notFoundNote}</p>`;
  return failurePage(404, TEXTS.notFound, html`${note}${HOME_LINK}`);
}

/** 403, with why nothing was changed. */
export function refusalPage(title: Text, note: Text): Page {
  const why = alert(html`<p>${note}</p>`);
  return failurePage(403, title, html`${why}${HOME_LINK}`);
}

/** The log has the error under `requestId`. */
export function unexpectedPage(requestId: string): Page {
  const why = alert(html`<p>${TEXTS.unexpected}</p><p><code>${requestId}</code></p>`);
  return failurePage(500, TEXTS.actionFailed, why);
}

/** For a signed-in visitor. */
export function tooManyPage(retryAfterSeconds: number): Page {
  const why = alert(html`<p>${TEXTS.tooMany(retryAfterSeconds)}</p>`);
  return { ...failurePage(429, TEXTS.actionFailed, why), retryAfterSeconds };
}

/** `resumePath` shows the form again. A visitor who is signed in has signed in again since the form was shown. */
export function keptFormPage(visitor: Visitor, { fields, file }: SentForm, resumePath: string): Page {
  const isSignedIn = visitor.mode !== undefined;
  const signIn =
    !isSignedIn &&
    html`<a class="button" href="/console/sign-in" target="_blank" rel="noopener">${TEXTS.signInElsewhere}</a>`;
  const why = alert(html`<p>${TEXTS.keptNote}${file && html` ${TEXTS.keptWithoutFile}`}</p>`);
  const form = keptForm(visitor, fields, resumePath, signIn);
  return failurePage(isSignedIn ? 403 : 401, TEXTS.formKept, html`${why}${form}`);
}

/** Shows why a form could not be processed now, sends it to `path` again as it was filled in, or leads back to the page `back`. */
export function tryAgainPage(visitor: Visitor, error: AppError, path: string, back: string): Page {
  const page = problemPage(visitor, error, back);
  return { ...page, content: html`${page.content}${keptForm(visitor, visitor.form, path)}` };
}

function keptForm({ csrf }: Visitor, fields: Visitor["form"], path: string, more?: Content): Markup {
  const hidden = hiddenFields([["csrf", csrf], ...[...fields].filter(([name]) => name !== "csrf")]);
  return html`<form method="post" action="${path}">${hidden}<div class="actions">${more}<button class="primary">${TEXTS.continue}</button></div></form>`;
}
