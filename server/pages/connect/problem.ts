/** Explains why a submitted form did not connect the merchant: at the top of the page, and next to the fields concerned. */
import type { ClosedLink, Submission } from "../../../src/connect-sessions/connect-link.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Language } from "../language.ts";
import * as messages from "./messages.ts";

export interface Trouble {
  status: number;
  heading: string;
  /** Paragraphs. */
  sentences: readonly string[];
  /** What is wrong with each field, by its name. */
  mistakes: ReadonlyMap<string, string>;
}

type FailedSubmission = Exclude<Submission, ClosedLink | { kind: "connected" }>;

/** `form` is that of the chosen provider; undefined if the provider cannot be chosen. */
export function describeTrouble(
  submission: FailedSubmission,
  form: CredentialsForm | undefined,
  language: Language,
): Trouble {
  const trouble = (
    status: number,
    heading: Text,
    sentences: readonly Text[],
    mistakes: ReadonlyMap<string, Text> = new Map(),
  ): Trouble => ({
    status,
    heading: heading[language],
    sentences: sentences.map((sentence) => sentence[language]),
    mistakes: new Map([...mistakes].map(([name, text]) => [name, text[language]])),
  });
  switch (submission.kind) {
    case "invalid":
      return trouble(400, messages.INVALID, [], mistakesOf(submission.problems, form));
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = words === null || code === null ? (words ?? code) : `${code}: ${words}`;
      const sentences = [
        ...(said === null ? [] : [messages.providerSaid(said)]),
        messages.REFUSED_ADVICE,
        messages.triesLeft(submission.triesLeft),
      ];
      return trouble(422, messages.REFUSED, sentences, refusedFields(form));
    }
    case "unavailable":
      return trouble(503, messages.UNAVAILABLE, [messages.UNAVAILABLE_ADVICE]);
    case "taken":
      return trouble(409, messages.TAKEN, [messages.TAKEN_ADVICE]);
  }
}

/** The first problem of each field. A problem of the credentials as a whole concerns the fields of which one must be given. */
function mistakesOf(problems: readonly Problem[], form: CredentialsForm | undefined): Map<string, Text> {
  const mistakes = new Map<string, Text>();
  for (const { path, message } of problems) {
    const field = path.replace(/^credentials\.?/, "");
    const found: [string, Text][] =
      field === ""
        ? (form?.exactlyOneOf ?? []).map((name) => [name, messages.EXACTLY_ONE])
        : [[field, message]];
    for (const [name, text] of found) if (!mistakes.has(name)) mistakes.set(name, text);
  }
  return mistakes;
}

/** A provider refuses credentials as a whole, so each required one may be the wrong one. */
function refusedFields(form: CredentialsForm | undefined): Map<string, Text> {
  const required = (form?.fields ?? []).filter((field) => field.required);
  return new Map(required.map(({ name }) => [name, messages.REFUSED_FIELD]));
}
