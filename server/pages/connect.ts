/** The page behind a connect link: a form for each provider that can be chosen, and what came of it. Works without scripts. */
import {
  type ClosedLink,
  type LinkChoice,
  type OpenLink,
  openLink,
  submitLink,
  type Submission,
} from "../../src/connect-sessions/link.ts";
import type { Context } from "../../src/context.ts";
import type { CredentialField } from "../../src/providers/credentials.ts";
import { bilingual, escapeHtml, htmlPage } from "./html.ts";

export interface ConnectPage {
  status: number;
  html: string;
}

/** What was entered: the fields of a form as a browser posts them. */
export type ConnectForm = ReadonlyMap<string, string>;

const TITLE = "Σύνδεση · Connect";

/** decisions 16: an unknown link answers 404 with the page of a used one. */
const CLOSED: Readonly<Record<"unknown" | "expired" | "used" | "refused", [string, string]>> = {
  unknown: ["Ο σύνδεσμος δεν ισχύει.", "This link is not valid."],
  expired: ["Ο σύνδεσμος έληξε: ισχύει για 30 λεπτά.", "This link has expired: it is valid for 30 minutes."],
  used: ["Ο σύνδεσμος έχει χρησιμοποιηθεί.", "This link has been used already."],
  refused: [
    "Ο σύνδεσμος έκλεισε μετά από πολλά λανθασμένα στοιχεία.",
    "This link was closed after too many wrong credentials.",
  ],
};
const ASK_AGAIN: [string, string] = [
  "Ζητήστε νέο σύνδεσμο από όποιον σας τον έστειλε.",
  "Ask whoever sent it to you for a new one.",
];

function closedPage(link: ClosedLink): ConnectPage {
  const because = link.kind === "unknown" ? "unknown" : link.because;
  const content = [
    "<h1>Ο σύνδεσμος δεν ισχύει</h1>",
    bilingual(...CLOSED[because]),
    bilingual(...ASK_AGAIN),
  ].join("\n");
  return { status: link.kind === "unknown" ? 404 : 410, html: htmlPage({ title: TITLE, content }) };
}

/** A provider as a person knows it. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  registry_direct: "ΑΑΔΕ myDATA",
  provider_a: "Wrapp",
};

function nameOf(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider;
}

function fieldHtml(field: CredentialField, isOneOf: boolean, entered: ConnectForm): string {
  const id = escapeHtml(field.name);
  // A secret is never written back into a page.
  const value = field.secret ? "" : ` value="${escapeHtml(entered.get(field.name) ?? "")}"`;
  const type = field.secret ? "password" : field.format === "email" ? "email" : "text";
  const required = field.required ? " required" : "";
  const help =
    field.help === undefined ? "" : `<p class="hint" id="${id}-help">${escapeHtml(field.help)}</p>\n`;
  const describedBy = field.help === undefined ? "" : ` aria-describedby="${id}-help"`;
  const label = isOneOf ? `${field.label} (ένα από αυτά · one of these)` : field.label;
  return `<p><label for="${id}">${escapeHtml(label)}</label></p>
${help}<input id="${id}" name="${id}" type="${type}" maxlength="${field.lengthMax}" autocomplete="off" spellcheck="false"${describedBy}${required}${value}>`;
}

function formHtml({ provider, form }: LinkChoice, entered: ConnectForm): string {
  const given = entered.get("provider") === provider ? entered : new Map<string, string>();
  const fields = form.fields.map((field) =>
    fieldHtml(field, form.exactlyOneOf?.includes(field.name) === true, given),
  );
  return `<form method="post" autocomplete="off">
<fieldset>
<legend>${escapeHtml(nameOf(provider))}</legend>
<input type="hidden" name="provider" value="${provider}">
${fields.join("\n")}
<p><button type="submit">Σύνδεση · Connect</button></p>
</fieldset>
</form>`;
}

function openPage(link: OpenLink, status: number, problem: string, entered: ConnectForm): ConnectPage {
  const heading = `<h1>Σύνδεση της επιχείρησης <em>${escapeHtml(link.merchantName)}</em></h1>`;
  const intro = bilingual(
    "Τα στοιχεία ελέγχονται τώρα στον πάροχο και φυλάσσονται κρυπτογραφημένα.",
    "The credentials are checked with the provider now, and kept encrypted.",
  );
  const test =
    link.mode === "test"
      ? '<p class="note">Δοκιμαστικό περιβάλλον του παρόχου · <span lang="en">The provider’s test environment</span></p>'
      : "";
  const forms =
    link.choices.length === 0
      ? bilingual("Δεν υπάρχει διαθέσιμος πάροχος.", "No provider is available.")
      : link.choices.map((choice) => formHtml(choice, entered)).join("\n");
  const content = [heading, intro, test, problem, forms].filter((part) => part !== "").join("\n");
  return { status, html: htmlPage({ title: `${TITLE}: ${link.merchantName}`, content }) };
}

function errorBox(...sentences: string[]): string {
  return `<div class="error" role="alert">\n${sentences.join("\n")}\n</div>`;
}

/** The page of `token` as it is opened: opening it uses nothing up. */
export async function connectPage(context: Context, token: string): Promise<ConnectPage> {
  const link = await openLink(context, token);
  return link.kind === "open" ? openPage(link, 200, "", new Map()) : closedPage(link);
}

/** What came of a form that was sent. */
export async function submitConnectPage(
  context: Context,
  token: string,
  entered: ConnectForm,
): Promise<ConnectPage> {
  const { provider = "", ...fields } = Object.fromEntries(entered);
  // A field that was left empty was not filled in.
  const credentials = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const submission = await submitLink(context, token, { provider, credentials });
  if (submission.kind === "unknown" || submission.kind === "gone") return closedPage(submission);
  if (submission.kind === "connected") return connectedPage(submission);
  const link = await openLink(context, token);
  if (link.kind !== "open") return closedPage(link);
  const { status, problem } = describeProblem(submission);
  return openPage(link, status, problem, entered);
}

type Connected = Extract<Submission, { kind: "connected" }>;

function connectedPage({ merchantName, provider, returnUrl }: Connected): ConnectPage {
  const back =
    returnUrl === null
      ? bilingual("Μπορείτε να κλείσετε τη σελίδα.", "You can close this page.")
      : `<p><a href="${escapeHtml(returnUrl)}" rel="noreferrer">Επιστροφή · <span lang="en">Back</span></a></p>`;
  const content = [
    "<h1>Η σύνδεση έγινε</h1>",
    bilingual(
      `Η επιχείρηση ${merchantName} συνδέθηκε: ${nameOf(provider)}.`,
      `${merchantName} is connected: ${nameOf(provider)}.`,
    ),
    back,
  ].join("\n");
  return { status: 200, html: htmlPage({ title: TITLE, content }) };
}

type Problematic = Exclude<Submission, ClosedLink | Connected>;

function describeProblem(submission: Problematic): { status: number; problem: string } {
  switch (submission.kind) {
    case "invalid": {
      const list = submission.problems.map(({ path, message }) => {
        const name = path.replace(/^credentials\.?/, "");
        return `<li>${escapeHtml(name === "" ? message : `${name}: ${message}`)}</li>`;
      });
      const head = bilingual("Ελέγξτε τα στοιχεία:", "Check what was entered:");
      return { status: 400, problem: errorBox(head, `<ul>${list.join("")}</ul>`) };
    }
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = words === null ? "" : `<p>${escapeHtml(code === null ? words : `${code}: ${words}`)}</p>`;
      const left = bilingual(
        `Ο πάροχος δεν δέχτηκε τα στοιχεία. Προσπάθειες που απομένουν: ${submission.triesLeft}.`,
        `The provider did not accept the credentials. Tries left: ${submission.triesLeft}.`,
      );
      return { status: 422, problem: errorBox(left, said) };
    }
    case "unavailable":
      return {
        status: 503,
        problem: errorBox(
          bilingual(
            "Ο πάροχος δεν απαντά αυτή τη στιγμή. Δοκιμάστε ξανά σε λίγο.",
            "The provider does not answer right now. Try again in a little while.",
          ),
        ),
      };
    case "taken":
      return {
        status: 409,
        problem: errorBox(
          bilingual(
            "Η επιχείρηση είναι ήδη συνδεδεμένη με αυτόν τον πάροχο.",
            "The business is connected to this provider already.",
          ),
        ),
      };
  }
}
