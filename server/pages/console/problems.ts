/** The pages of what went wrong. */
import { AppError } from "../../../src/foundation/errors.ts";
import { failureOf } from "../../errors.ts";
import { html } from "../markup.ts";
import { errorText } from "./parts.ts";
import { type Page, returnPath, type Visitor } from "./visit.ts";

/** What the service refused, in its own words, with the way back. */
export function problemPage(visitor: Visitor, error: AppError): Page {
  const { say } = visitor;
  const { status, retryAfterSeconds } = failureOf(error);
  if (error.code === "not_found") return notFoundPage(visitor);
  return {
    kind: "page",
    status,
    title: say("it failed"),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${errorText(say, error.toObject())}</p></div>${wayBack(visitor)}`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function wayBack(visitor: Visitor) {
  const { say, here } = visitor;
  return html`<p><a class="button" href="${returnPath(visitor, here.split("?", 1)[0]!)}">${say("back")}</a></p>`;
}

export function notFoundPage({ say }: Visitor): Page {
  return {
    kind: "page",
    status: 404,
    title: say("not found"),
    content: html`<p>${say("not found lead")}</p><p><a class="button" href="/console">${say("overview")}</a></p>`,
  };
}

/** 403: a form that another site sent, or without the token of this browser. */
export function refusedFormPage({ say }: Visitor): Page {
  return {
    kind: "page",
    status: 403,
    title: say("form refused"),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say("form refused lead")}</p></div><p><a class="button" href="/console">${say("overview")}</a></p>`,
  };
}

/** 500. `requestId` names it in the log. */
export function unexpectedPage({ say }: Visitor, requestId: string): Page {
  return {
    kind: "page",
    status: 500,
    title: say("it failed"),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say("unexpected")}</p><p><code>${requestId}</code></p></div>`,
  };
}

/** 429 of somebody who is signed in. */
export function tooManyPage({ say }: Visitor, seconds: number): Page {
  return {
    kind: "page",
    status: 429,
    title: say("it failed"),
    content: html`<div class="problem" role="alert" tabindex="-1" autofocus><p>${say("too many pages", { seconds })}</p></div>`,
    retryAfterSeconds: seconds,
  };
}
