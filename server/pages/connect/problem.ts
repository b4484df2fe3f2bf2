/** What a form that did not connect has to say: at the top of the page, and beside the fields that it is about. */
import type { ClosedLink, Submission } from "../../../src/connect-sessions/connect-link.ts";
import type { Problem } from "../../../src/foundation/errors.ts";
import { textOf } from "../../../src/foundation/text.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import { type Language, say, type Sentence } from "../language.ts";
import { MISTAKES, OTHER_MISTAKE } from "./field-words.ts";
import { PROBLEM_WORDS } from "./words.ts";

export interface Trouble {
  status: number;
  heading: string;
  /** Paragraphs. */
  sentences: readonly string[];
  /** What is wrong with each field, by its name. */
  mistakes: ReadonlyMap<string, string>;
}

type Problematic = Exclude<Submission, ClosedLink | { kind: "connected" }>;

/** `form` is that of the provider that was tried, if it is one that can be chosen. */
export function describeTrouble(
  submission: Problematic,
  form: CredentialsForm | undefined,
  language: Language,
): Trouble {
  const speak = (sentence: Sentence, values = {}) => say(sentence, language, values);
  const none = new Map<string, string>();
  switch (submission.kind) {
    case "invalid": {
      const heading = speak(PROBLEM_WORDS.invalid);
      return {
        status: 400,
        heading,
        sentences: [],
        mistakes: mistakesOf(submission.problems, form, language),
      };
    }
    case "refused": {
      const { provider_message: words, provider_code: code } = submission.error;
      const said = words === null || code === null ? (words ?? code) : `${code}: ${words}`;
      const sentences = [
        ...(said === null ? [] : [speak(PROBLEM_WORDS.said, { words: said })]),
        speak(PROBLEM_WORDS.refusedWhy),
        speak(PROBLEM_WORDS.triesLeft, { count: submission.triesLeft }),
      ];
      return {
        status: 422,
        heading: speak(PROBLEM_WORDS.refused),
        sentences,
        mistakes: refusedFields(form, language),
      };
    }
    case "unavailable":
      return {
        status: 503,
        heading: speak(PROBLEM_WORDS.unavailable),
        sentences: [speak(PROBLEM_WORDS.unavailableWhy)],
        mistakes: none,
      };
    case "taken":
      return {
        status: 409,
        heading: speak(PROBLEM_WORDS.taken),
        sentences: [speak(PROBLEM_WORDS.takenWhy)],
        mistakes: none,
      };
  }
}

/** A mistake about the whole of the credentials is one about each field of which exactly one is wanted. */
function mistakesOf(
  problems: readonly Problem[],
  form: CredentialsForm | undefined,
  language: Language,
): Map<string, string> {
  const mistakes = new Map<string, string>();
  for (const { path, message } of problems) {
    const field = path.replace(/^credentials\.?/, "");
    const names = field === "" ? (form?.exactlyOneOf ?? []) : [field];
    for (const name of names)
      if (!mistakes.has(name)) mistakes.set(name, describeMistake(textOf(message).en, language));
  }
  return mistakes;
}

function describeMistake(message: string, language: Language): string {
  for (const [pattern, sentence] of MISTAKES) {
    const found = pattern.exec(message);
    if (found !== null) return say(sentence, language, found.groups);
  }
  return say(OTHER_MISTAKE, language);
}

/** A provider refuses credentials as a whole: any that was asked for may be the wrong one. */
function refusedFields(form: CredentialsForm | undefined, language: Language): Map<string, string> {
  const required = (form?.fields ?? []).filter((field) => field.required);
  return new Map(required.map(({ name }) => [name, say(PROBLEM_WORDS.refusedField, language)]));
}
