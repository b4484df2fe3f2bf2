/** Error pages. */
import { TEXTS } from "./messages.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { failureOf } from "../../errors.ts";
import { html } from "../markup.ts";
import { errorText } from "./parts.ts";
import { type Page, returnPath, type Visitor } from "./visit.ts";

/** Shows a refused action with its error and a link back. */
export function problemPage(visitor: Visitor, error: AppError): Page {
  const { say } = visitor;
  const { status, retryAfterSeconds } = failureOf(error);
  if (error.code === "not_found") return notFoundPage(visitor);
  return {
    kind: "page",
    status,
    title: say(TEXTS.actionFailed),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${errorText(say, error.toOutcomeError())}</p></div>${backLink(visitor)}`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function backLink(visitor: Visitor) {
  const { say, here } = visitor;
  return html`<p><a class="button" href="${returnPath(visitor, here.split("?", 1)[0]!)}">${say(TEXTS.back)}</a></p>`;
}

export function notFoundPage({ say }: Visitor): Page {
  return {
    kind: "page",
    status: 404,
    title: say(TEXTS.notFound),
    content: html`<p>${say(TEXTS.notFoundNote)}</p><p><a class="button" href="/console">${say(TEXTS.overview)}</a></p>`,
  };
}

/** 403: a form from another site, or without this browser's CSRF token. */
export function refusedFormPage({ say }: Visitor): Page {
  return {
    kind: "page",
    status: 403,
    title: say(TEXTS.formRefused),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say(TEXTS.formRefusedNote)}</p></div><p><a class="button" href="/console">${say(TEXTS.overview)}</a></p>`,
  };
}

/** 500. The log has the error under `requestId`. */
export function unexpectedPage({ say }: Visitor, requestId: string): Page {
  return {
    kind: "page",
    status: 500,
    title: say(TEXTS.actionFailed),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say(TEXTS.unexpected)}</p><p><code>${requestId}</code></p></div>`,
  };
}

/** 429 for a signed-in visitor. */
export function tooManyPage({ say }: Visitor, seconds: number): Page {
  return {
    kind: "page",
    status: 429,
    title: say(TEXTS.actionFailed),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say(TEXTS.tooManyPages(seconds))}</p></div>`,
    retryAfterSeconds: seconds,
  };
}
