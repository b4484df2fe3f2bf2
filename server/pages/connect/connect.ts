/** The page behind a connect link: a form for each provider that can be chosen, and the pages on which it ends. Works without scripts. */
import * as messages from "./messages.ts";
import {
  type ClosedLink,
  openLink,
  type Submission,
  submitLink,
} from "../../../src/connect-sessions/connect-link.ts";
import type { Context } from "../../../src/journal/context.ts";
import type { Language } from "../language.ts";
import { htmlPage, type Page } from "../page.ts";
import { describeTrouble, openPage, ROOT } from "./form.ts";
import { html } from "../markup.ts";

/** Opening a link does not use it up. */
export async function connectPage(context: Context, token: string, language: Language): Promise<Page> {
  const link = await openLink(context, token);
  return link.kind === "open" ? openPage(link, language) : closedPage(link, language);
}

/** Submits the form; `entered` are its fields as a browser posts them. */
export async function submitConnectPage(
  context: Context,
  token: string,
  entered: ReadonlyMap<string, string>,
  language: Language,
): Promise<Page> {
  const { provider = "", ...fields } = Object.fromEntries(entered);
  // Browsers post empty fields too.
  const credentials = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const submission = await submitLink(context, token, { provider, credentials });
  if (submission.kind === "unknown" || submission.kind === "gone") return closedPage(submission, language);
  if (submission.kind === "connected") return connectedPage(submission, language);
  const link = await openLink(context, token);
  if (link.kind !== "open") return closedPage(link, language);
  const form = link.choices.find((choice) => choice.provider === provider)?.form;
  const trouble = describeTrouble(submission, form, language);
  return openPage(link, language, { provider, values: entered, trouble });
}

/** 410 for a link that was valid once, 404 with the same page for one that never was (docs/contract.md#connect-links). */
function closedPage(link: ClosedLink, language: Language): Page {
  const title = messages.CLOSED[language];
  const reason = link.kind === "unknown" ? messages.UNKNOWN_LINK : messages.CLOSED_BECAUSE[link.because];
  const content = html`<h1>${title}</h1>
<section><p>${reason[language]}</p>
<p>${messages.ASK_FOR_ANOTHER[language]}</p></section>`;
  const status = link.kind === "unknown" ? 404 : 410;
  return { status, html: htmlPage({ title, language, root: ROOT, content }) };
}

type Connected = Extract<Submission, { kind: "connected" }>;

function connectedPage({ merchantName, providerName, returnUrl }: Connected, language: Language): Page {
  const title = messages.CONNECTED[language];
  const exit =
    returnUrl === null
      ? html`<p>${messages.CLOSE_PAGE[language]}</p>`
      : html`<p><a class="button primary" href="${returnUrl}" rel="noreferrer">${messages.backTo(new URL(returnUrl).host)[language]}</a></p>`;
  const content = html`<h1>${title}</h1>
<div class="done" role="status"><p>${messages.connectedTo(merchantName, providerName)[language]}</p></div>
<p>${messages.CONNECTED_ADVICE[language]}</p>
${exit}`;
  // The link is used up, so switching the language would lead to the page of a closed link.
  return { status: 200, html: htmlPage({ title, language, root: ROOT, content, isSwitchable: false }) };
}

/** 429. */
export function tooManyPage(seconds: number, language: Language): Page {
  const title = messages.TOO_MANY[language];
  const content = html`<h1>${title}</h1>
<div class="problem"><p>${messages.tooManyAdvice(seconds)[language]}</p></div>`;
  return { status: 429, html: htmlPage({ title, language, root: ROOT, content }) };
}

/** A form that was not processed: sent from another site (403), or not encoded as a form. */
export function refusedFormPage(status: number, language: Language): Page {
  const isForeign = status === 403;
  const title = (isForeign ? messages.FOREIGN_FORM : messages.UNREADABLE_FORM)[language];
  const advice = (isForeign ? messages.FOREIGN_FORM_ADVICE : messages.UNREADABLE_FORM_ADVICE)[language];
  const content = html`<h1>${title}</h1>
<div class="problem"><p>${advice}</p></div>`;
  return { status, html: htmlPage({ title, language, root: ROOT, content }) };
}
