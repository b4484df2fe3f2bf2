/** The page behind a connect link: a form for each provider that can be chosen, and the pages on which it ends. Works without scripts. */
import {
  type ClosedLink,
  openLink,
  type Submission,
  submitLink,
} from "../../../src/connect-sessions/connect-link.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Context } from "../../../src/journal/context.ts";
import { TEXTS } from "../console/messages.ts";
import type { Page } from "../page.ts";
import { describeTrouble, openPage } from "./form.ts";
import { html, type Markup } from "../markup.ts";

/** Opening a link does not use it up. */
export async function connectPage(context: Context, token: string): Promise<Page> {
  const link = await openLink(context, token);
  return link.kind === "open" ? openPage(link) : closedPage(link);
}

/** Submits the form; `entered` are its fields as a browser posts them. */
export async function submitConnectPage(
  context: Context,
  token: string,
  entered: ReadonlyMap<string, string>,
): Promise<Page> {
  const { provider = "", ...fields } = Object.fromEntries(entered);
  // Browsers post empty fields too.
  const credentials = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const submission = await submitLink(context, token, { provider, credentials });
  if (submission.kind === "unknown" || submission.kind === "gone") return closedPage(submission);
  if (submission.kind === "connected") return connectedPage(submission);
  const link = await openLink(context, token);
  if (link.kind !== "open") return closedPage(link);
  const chosen = link.choices.find((choice) => choice.provider === provider);
  return openPage(link, { provider, values: entered, trouble: describeTrouble(submission, chosen) });
}

function plainPage(status: number, title: Text, text: Markup): Page {
  return {
    status,
    title,
    content: html`<h1>${title}</h1>
${text}`,
  };
}

const CLOSED_BECAUSE: Readonly<Record<"expired" | "used" | "refused", Text>> = {
  expired: {
    en: "It has expired: a link is valid for 30 minutes.",
    el: "Έληξε: κάθε σύνδεσμος ισχύει για 30 λεπτά.",
  },
  used: {
    en: "It has already been used to connect the business.",
    el: "Έχει ήδη χρησιμοποιηθεί: η επιχείρηση συνδέθηκε με αυτόν.",
  },
  refused: {
    en: "It was closed after too many wrong credentials.",
    el: "Έκλεισε μετά από πολλά λανθασμένα στοιχεία.",
  },
};

/** 410 for a link that was valid once, 404 with the same page for one that never was (docs/contract.md#connect-links). */
function closedPage(link: ClosedLink): Page {
  const isUnknown = link.kind === "unknown";
  const reason = isUnknown
    ? { en: "There is no such link.", el: "Δεν υπάρχει τέτοιος σύνδεσμος." }
    : CLOSED_BECAUSE[link.because];
  const advice = {
    en: "If you need another one, ask the person who sent it to you.",
    el: "Αν χρειάζεστε άλλον, ζητήστε τον από όποιον σας τον έστειλε.",
  };
  const title = { en: "This link is not valid", el: "Ο σύνδεσμος δεν ισχύει" };
  const text = html`<section><p>${reason}</p>
<p>${advice}</p></section>`;
  return plainPage(isUnknown ? 404 : 410, title, text);
}

type Connected = Extract<Submission, { kind: "connected" }>;

function connectedPage({ merchantName, providerName, returnUrl }: Connected): Page {
  const title = { en: "Connected", el: "Η σύνδεση έγινε" };
  const done = {
    en: `${merchantName} is connected: ${providerName.en}.`,
    el: `Η επιχείρηση ${merchantName} συνδέθηκε: ${providerName.el}.`,
  };
  const advice = {
    en: "From now on its documents are issued through this connection; those that were waiting for it are issued now. There is nothing else to do.",
    el: "Από εδώ και πέρα τα παραστατικά της εκδίδονται με αυτή τη σύνδεση. Όσα περίμεναν συνεχίζουν τώρα. Δεν χρειάζεται να κάνετε κάτι άλλο.",
  };
  const close = { en: "You can close this page.", el: "Μπορείτε να κλείσετε τη σελίδα." };
  const back = { en: "Back to", el: "Επιστροφή στο" };
  const exit =
    returnUrl === null
      ? html`<p>${close}</p>`
      : html`<p><a class="button primary" href="${returnUrl}" rel="noreferrer">${back} ${new URL(returnUrl).host}</a></p>`;
  const content = html`<h1>${title}</h1>
<div class="done" role="status"><p>${done}</p></div>
<p>${advice}</p>
${exit}`;
  // The link is used up, so switching the language would lead to the page of a closed link.
  return { status: 200, title, content, isSwitchable: false };
}

function problemPage(status: number, heading: Text, advice: Text): Page {
  return plainPage(status, heading, html`<div class="problem"><p>${advice}</p></div>`);
}

export function tooManyPage(seconds: number): Page {
  return problemPage(429, TEXTS.actionFailed, TEXTS.tooMany(seconds));
}

/** A form that was not processed: sent from another site (403), or not encoded as a form. */
export function refusedFormPage(status: number): Page {
  const advice = {
    en: "Open the link you received, and fill in the form there.",
    el: "Ανοίξτε τον ίδιο τον σύνδεσμο που λάβατε και συμπληρώστε τη φόρμα εκεί.",
  };
  return problemPage(status, TEXTS.formRefused, advice);
}
