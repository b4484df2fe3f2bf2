/** The pages at which a connect link ends: connected, closed, or a form that was not taken. */
import type { ClosedLink, Submission } from "../../../src/connect-sessions/connect-link.ts";
import { type Language, say, type Sentence } from "../language.ts";
import { html } from "../markup.ts";
import { htmlPage, type Page } from "../page.ts";
import { providerName } from "./form.ts";
import { ROOT } from "./open.ts";
import { END_WORDS, PROBLEM_WORDS } from "./words.ts";

const BECAUSE: Readonly<Record<"expired" | "used" | "refused", Sentence>> = {
  expired: END_WORDS.expired,
  used: END_WORDS.used,
  refused: END_WORDS.exhausted,
};

/** decisions 9 and 16: 410 for a link that was one, 404 with the same page for one that never was. */
export function closedPage(link: ClosedLink, language: Language): Page {
  const title = say(END_WORDS.closed, language);
  const because = link.kind === "unknown" ? END_WORDS.unknown : BECAUSE[link.because];
  const content = html`<h1>${title}</h1>
<section><p>${say(because, language)}</p>
<p>${say(END_WORDS.askAgain, language)}</p></section>`;
  const status = link.kind === "unknown" ? 404 : 410;
  return { status, html: htmlPage({ title, language, root: ROOT, content }) };
}

type Connected = Extract<Submission, { kind: "connected" }>;

export function connectedPage({ merchantName, provider, returnUrl }: Connected, language: Language): Page {
  const title = say(END_WORDS.done, language);
  const values = { merchant: merchantName, provider: providerName(provider, language) };
  const way =
    returnUrl === null
      ? html`<p>${say(END_WORDS.close, language)}</p>`
      : html`<p><a class="button" href="${returnUrl}" rel="noreferrer">${say(END_WORDS.back, language, { host: new URL(returnUrl).host })}</a></p>`;
  const content = html`<h1>${title}</h1>
<div class="done" role="status"><p>${say(END_WORDS.doneWhat, language, values)}</p></div>
<p>${say(END_WORDS.doneNext, language)}</p>
${way}`;
  // The link is used: in the other language there is no such page to lead to.
  return { status: 200, html: htmlPage({ title, language, root: ROOT, content, isSwitchable: false }) };
}

/** A form that was not looked at: sent from another site, or not as a form is sent. */
export function refusedFormPage(status: number, language: Language): Page {
  const isForeign = status === 403;
  const title = say(isForeign ? PROBLEM_WORDS.foreign : PROBLEM_WORDS.unreadable, language);
  const why = say(isForeign ? PROBLEM_WORDS.foreignWhy : PROBLEM_WORDS.unreadableWhy, language);
  const content = html`<h1>${title}</h1>
<div class="problem"><p>${why}</p></div>`;
  return { status, html: htmlPage({ title, language, root: ROOT, content }) };
}
