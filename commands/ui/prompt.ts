/**
 * Asks questions on the terminal, in the language of the person at it. Every question has a flag, which is required without a terminal.
 */
import { emitKeypressEvents, type Key } from "node:readline";
import type { Text } from "../../src/foundation/text.ts";
import { InterruptedError, UsageError } from "../exit.ts";
import { inLanguage, type ProgramIo } from "../io.ts";
import { fold, printable } from "../../src/foundation/characters.ts";
import { styleText } from "node:util";

/** Both must be terminals: with stdin closed a prompt never ends, and with stderr redirected nobody sees it. */
export function canPrompt(io: ProgramIo): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Throws a usage error that names `flag` and the `words` it accepts, unless a question can be asked. */
export function requirePrompt(io: ProgramIo, flag: string, words: readonly string[] = []): void {
  if (canPrompt(io)) return;
  if (words.length === 0) throw new UsageError({ en: `${flag} is missing`, el: `λείπει η ${flag}` });
  const list = words.join(", ");
  throw new UsageError({
    en: `${flag} is missing: one of ${list}`,
    el: `λείπει η ${flag}: ένα από τα ${list}`,
  });
}

/** Returns `given`, or asks for it. Throws a usage error that names `flag` without a terminal. */
export async function askFor(
  io: ProgramIo,
  given: string | undefined,
  question: { flag: string; message: Text },
): Promise<string> {
  return given ?? askText(io, { ...question, check: (answer) => (answer === "" ? NO_VALUE : undefined) });
}

/** Asks for a text: `initial` is what Enter answers, and `check` returns what is wrong with an answer. */
export async function askText(
  io: ProgramIo,
  question: {
    flag: string;
    message: Text;
    initial?: string | undefined;
    check?(answer: string): Text | undefined;
  },
): Promise<string> {
  requirePrompt(io, question.flag);
  const { input } = await import("@inquirer/prompts");
  const { flag: _flag, message, initial, check } = question;
  const validate = (answer: string) => {
    const problem = check?.(answer);
    return problem === undefined ? true : inLanguage(io, problem);
  };
  const suggested = initial === undefined ? {} : { default: initial };
  return settle(io, (streams) =>
    input({ message: inLanguage(io, message), validate, ...suggested }, streams),
  );
}

/** Asks for a secret: the typed text is hidden, including its length. */
export async function askForSecret(
  io: ProgramIo,
  question: { flag: string; message: Text },
): Promise<string> {
  requirePrompt(io, question.flag);
  const { password } = await import("@inquirer/prompts");
  const style = {
    maskedText: inLanguage(io, { en: "[input is hidden]", el: "[δεν εμφανίζεται]" }),
    keysHelpTip: () => keyHelp(io, { "ctrl+t": { en: "show or hide", el: "εμφάνιση ή απόκρυψη" } }),
  };
  const validate = (answer: string) => answer !== "" || inLanguage(io, NO_VALUE);
  const message = inLanguage(io, question.message);
  return settle(io, (streams) => password({ message, validate, theme: { style } }, streams));
}

/** Asks for one of `choices`. Throws a usage error that names `flag`, which may be several flags, without a terminal. */
export async function askWhich<Word extends string>(
  io: ProgramIo,
  choices: readonly { value: Word; name: Text; description?: Text | undefined }[],
  question: { flag: string; message: Text; initial?: Word | undefined },
): Promise<Word> {
  requirePrompt(
    io,
    question.flag,
    choices.map(({ value }) => value),
  );
  const { select } = await import("@inquirer/prompts");
  const shown = choices.map(({ value, name, description }) => ({
    value,
    name: inLanguage(io, name),
    ...(description === undefined ? {} : { description: inLanguage(io, description) }),
  }));
  const theme = { style: { keysHelpTip: () => chooseKeys(io) } };
  const suggested = question.initial === undefined ? {} : { default: question.initial };
  const message = inLanguage(io, question.message);
  return settle(io, (streams) => select({ message, choices: shown, theme, ...suggested }, streams));
}

/**
 * Asks for one of many choices with a search: a choice matches if its name contains every typed word. `typed` makes a further
 * choice of what was typed, and `check` returns what is wrong with a choice.
 */
export async function askBySearch(
  io: ProgramIo,
  choices: readonly { value: string; name: string }[],
  question: { flag: string; message: Text },
  {
    typed,
    check,
  }: {
    typed?: (term: string) => { value: string; name: string } | undefined;
    check?: (value: string) => Text | undefined;
  } = {},
): Promise<string> {
  requirePrompt(io, question.flag);
  const { searchPrompt } = await import("./search-prompt.ts");
  const shown = choices.map(({ value, name }) => ({ value, name: printable(name), folded: fold(name) }));
  const find = (term: string) => {
    const words = fold(term).split(/\s+/);
    const own = typed?.(term);
    const known = shown.filter(({ folded }) => words.every((word) => folded.includes(word)));
    return own === undefined || known.some(({ value }) => value === own.value) ? known : [...known, own];
  };
  const problemWith = (value: string) => {
    const problem = check?.(value);
    return problem === undefined ? undefined : inLanguage(io, problem);
  };
  const message = inLanguage(io, question.message);
  const noResults = inLanguage(io, { en: "No results found", el: "Κανένα αποτέλεσμα" });
  const texts = { message, noResults, keysHelp: chooseKeys(io) };
  return settle(io, (streams) => searchPrompt({ find, problemWith, ...texts }, streams));
}

/** Throws UsageError without `yes`, the flag `--yes`, where nobody can be asked for the confirmation that it gives. */
export function requireYes(io: ProgramIo, yes: boolean | undefined, canAsk = canPrompt(io)): void {
  if (yes === true || canAsk) return;
  throw new UsageError({
    en: "--yes is missing: this needs a confirmation, which cannot be asked for here",
    el: "λείπει η --yes: χρειάζεται επιβεβαίωση, που δεν μπορεί να ζητηθεί εδώ",
  });
}

/**
 * Asks for confirmation of something that cannot be undone and returns the answer; `yes` is the flag `--yes`. Throws a usage
 * error that names the flag without it and without a terminal.
 */
export async function confirmed(io: ProgramIo, yes: boolean | undefined, message: Text): Promise<boolean> {
  if (yes === true) return true;
  requireYes(io, yes);
  const { confirm } = await import("@inquirer/prompts");
  const [yesWord, noWord, wrong] = [YES, NO, YES_OR_NO].map((text) => inLanguage(io, text));
  const theme = { keywords: { yes: yesWord!, no: noWord!, error: () => wrong! } };
  return settle(io, (streams) =>
    confirm({ message: inLanguage(io, message), default: false, theme }, streams),
  );
}

/** Questions go to stderr, because stdout is reserved for the result. */
interface Streams {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/**
 * Asks, and treats Ctrl-C, Ctrl-D and the end of the input as an interrupt. At the last two @inquirer/prompts 8.8 never settles the
 * question, so that the process would just end.
 */
async function settle<T>(io: ProgramIo, ask: (streams: Streams) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  const onKey = (_text: string | undefined, key: Key) => {
    if (key.ctrl === true && key.name === "d") giveUp();
  };
  emitKeypressEvents(io.stdin);
  io.stdin.on("keypress", onKey).once("end", giveUp);
  try {
    return await ask({ input: io.stdin, output: io.stderr, signal: controller.signal });
  } catch (error) {
    if (!(error instanceof Error) || !INTERRUPTS.has(error.name)) throw error;
    throw new InterruptedError(
      { en: "interrupted at a question; nothing was changed", el: "διακόπηκε σε ερώτηση· δεν άλλαξε τίποτα" },
      { cause: error },
    );
  } finally {
    io.stdin.off("keypress", onKey).off("end", giveUp);
  }
}

const INTERRUPTS: ReadonlySet<string> = new Set(["ExitPromptError", "AbortPromptError"]);

const NO_VALUE: Text = { en: "You must provide a value", el: "Χρειάζεται τιμή" };
const YES: Text = { en: "Yes", el: "ΝΑΙ" };
/** In capitals, which have no accent: it can be typed with one key. */
const NO: Text = { en: "No", el: "ΟΧΙ" };
const YES_OR_NO: Text = { en: 'Answer "Yes" or "No"', el: "Απαντήστε με «ΝΑΙ» ή «ΟΧΙ»" };

/** The keys with which one of several is chosen. */
function chooseKeys(io: ProgramIo): string {
  return keyHelp(io, { "↑↓": { en: "navigate", el: "μετακίνηση" }, "⏎": { en: "select", el: "επιλογή" } });
}

function keyHelp(io: ProgramIo, keys: Readonly<Record<string, Text>>): string {
  const shown = Object.entries(keys).map(
    ([key, action]) => `${styleText("bold", key)} ${styleText("dim", inLanguage(io, action))}`,
  );
  return shown.join(" • ");
}
