/** Runs the pages of the guide in order: writes each of their files, runs each command, and compares what it prints. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { athensDay } from "../../src/foundation/clock.ts";
import { endOfMonth } from "../../src/foundation/days.ts";
import { renderCodesPage } from "../../packaging/guide/render-codes.ts";
import { type CommandLine, readCommandLine, runCommandLine } from "../helpers/command-lines.ts";
import { startFakeProviderA } from "../helpers/fake-provider-a.ts";
import { KEY, openNetwork, USER, WRAPP_USER } from "../helpers/prepared.ts";
import { answering, openWorkshop, type Run, type RunOptions } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/guide");
const pages = readdirSync(FOLDER)
  .filter((file) => /^\d/.test(file))
  .sort();
const readPage = (path: string) => readFileSync(join(FOLDER, path), "utf8");

const TODAY = athensDay(Date.now());
const LAST_MONTH_END = endOfMonth(TODAY, -1);

/** The guide's month is the current one, because the provider takes no other day than today. */
function inThisMonth(text: string): string {
  return text.replaceAll("2025-10-31", LAST_MONTH_END).replaceAll("2025-11", TODAY.slice(0, 7));
}

type Step =
  | { file: string; content: string; encoding: string }
  | { line: CommandLine; onNewComputer: boolean }
  | { output: string[] };

/** A ` ```csv NAME ` block is a file, each line of a ` ```sh ` block a command, and ` ```text ` what it prints. */
function stepsOf(page: string): Step[] {
  return [...inThisMonth(readPage(page)).matchAll(/^```(\w+) ?(\S*) ?(\S*)\n([^]*?)\n```$/gm)].flatMap(
    ([, kind, word = "", encoding = "", content = ""]): Step[] => {
      if (kind === "csv") return [{ file: word, content, encoding: encoding || "utf8" }];
      if (kind === "text") return [{ output: content.split("\n") }];
      if (kind !== "sh") throw new Error(`${page} has a block of ${kind}, which cannot be run`);
      return content
        .split("\n")
        .map((line) => ({ line: readCommandLine(line), onNewComputer: word === "new" }));
    },
  );
}

const workshop = forAllTests(openWorkshop);
const network = forAllTests(() => openNetwork(EXPORTER));
const liveWrapp = forAllTests(() => startFakeProviderA(network.account));

/** The reader's computer is Greek. The new one has another data directory. */
function environment(onNewComputer: boolean): Record<string, string> {
  return {
    ...network.env,
    FISCAL_PROVIDERS__PROVIDER_A__LIVE_URL: liveWrapp.url,
    FISCAL_SERVER__PORT: "0",
    LANG: "el_GR.UTF-8",
    ...(onNewComputer ? { FISCAL_DATA_DIR: "new" } : {}),
  };
}

/** Sells to the EU only. */
const EXPORTER = "801234560";
const ENTER = "\r";
const WRAPP = {
  "Κλειδί API": `${KEY}${ENTER}`,
  Διαλέξτε: ENTER,
  "Αναγνωριστικό χρήστη": `${WRAPP_USER}${ENTER}`,
};
const AUTHORITY = {
  "Όνομα χρήστη του myDATA REST API": `${USER}${ENTER}`,
  "Κλειδί (subscription key)": `${KEY}${ENTER}`,
};
/** Answers to the questions about a service invoice. */
const ANSWERS = {
  "Πελάτης (ΑΦΜ": `094012834${ENTER}`,
  "Οι τιμές είναι": ENTER,
  "Γραμμή 1: περιγραφή": `Συμβουλές Νοεμβρίου${ENTER}`,
  Ποσότητα: `3${ENTER}`,
  "Τιμή μονάδας": `50${ENTER}`,
  ΦΠΑ: ENTER,
  "Γραμμή 2: περιγραφή": ENTER,
  Πληρωμή: ENTER,
  "Να εκδοθεί αυτό": `ν${ENTER}`,
};

/** The suggested meanings are right. */
const COLUMNS = {
  ...Object.fromEntries(
    [
      "Αρ. παραστατικού",
      "Είδος παραστατικού",
      "Ημ/νία",
      "ΑΦΜ",
      "Είδος",
      "Ποσ.",
      "Τιμή",
      "ΦΠΑ",
      "Εξόφληση",
      "Πωλητής",
    ].map((name) => [`Στήλη «${name}»`, ENTER]),
  ),
  "Να διαβαστεί έτσι": `ν${ENTER}`,
};

/** What the comment after a command says about it. */
const NOTES: Record<string, { options?: () => RunOptions; exitCode?: number }> = {
  "ζητά τα στοιχεία του Wrapp": { options: () => answering(WRAPP) },
  "ζητά τα στοιχεία της ΑΑΔΕ": { options: () => answering(AUTHORITY) },
  "ρωτά για τις στήλες": { options: () => answering(COLUMNS) },
  "απαντήστε στις ερωτήσεις": { options: () => answering(ANSWERS) },
  "απαντήστε ν": { options: () => answering({ "": `ν${ENTER}` }) },
  "σταματά με Ctrl-C": {
    options: () => ({
      onOutput: (text, program) => text.includes("ακούει στο") && program.interrupt(),
    }),
  },
  "ακόμη δεν υπάρχει βάση": { exitCode: 1 },
  "ετοιμάζονται ακόμη": { exitCode: 1 },
  "έχει λάθος": { exitCode: 2 },
  απορρίπτεται: { exitCode: 4 },
};

/** The id that the reader looks up for `con_…`. */
async function completed(words: string[]): Promise<string[]> {
  const at = words.indexOf("con_…");
  if (at === -1) return words;
  const args = ["connections", "list", "--merchant", "kafes", "--json"];
  const found = await workshop.runBare(args, { env: environment(false) });
  return words.with(at, found.json<{ data: { id: string }[] }>().data[0]!.id);
}

/** Returns what was printed, for the next block of output. */
async function takeCommand(line: CommandLine, onNewComputer: boolean): Promise<Run> {
  const note = line.note === undefined ? {} : NOTES[line.note];
  if (note === undefined) throw new Error(`unknown comment "${line.note}"`);
  if (onNewComputer && line.words[0] === "restore") {
    mkdirSync(workshop.at("new"));
    copyFileSync(workshop.at("data/master.key"), workshop.at("new/master.key"));
  }
  const own = { ...line, words: await completed(line.words) };
  const options = { ...note.options?.(), env: environment(onNewComputer) };
  const run = await runCommandLine(workshop, own, options);
  expect(run.exitCode, `${line.text}\n${run.stderr}`).toBe(note.exitCode ?? 0);
  return run;
}

/** Expects each line somewhere in the output; `…` stands for anything within a line. */
function expectPrinted(wanted: string[], printed: string): void {
  for (const line of wanted) {
    const parts = line.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    expect(printed).toMatch(new RegExp(parts.join(".*")));
  }
}

/** The commands of a page without the names that the reader chooses. */
function commandsOf(page: string): string[] {
  return stepsOf(page)
    .filter((step) => "line" in step)
    .map(({ line: { words } }) =>
      words.filter((word, index) => (index < 2 ? /^[a-z-]+$/ : /^--|^[\d.-]+$/).test(word)).join(" "),
    );
}

/** The commands within sentences, without their arguments. */
function quotedCommands(): Set<string> {
  const texts = [...pages, "codes.md", "README.md"].map(readPage).join("\n");
  return new Set([...texts.matchAll(/`fiscal((?: [a-z][a-z-]*)+)/g)].map(([, words = ""]) => words.trim()));
}

/** Issues the two documents that could not be delivered, with providers that cannot be reached. */
async function failTwo(): Promise<void> {
  const nowhere = "http://127.0.0.1:1";
  const env = {
    ...environment(false),
    FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: nowhere,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: nowhere,
  };
  for (const [original, reference] of [
    ["2025-11-003", "2025-11-012"],
    ["2025-11-020", "2025-11-013"],
  ]) {
    const args = ["documents", "repeat", original!, "--reference", reference!].map(inThisMonth);
    const run = await workshop.runBare(args, { env });
    expect(run.exitCode, run.stderr).toBe(5);
  }
}

test("the guide lists all its pages in both READMEs", () => {
  for (const page of pages) {
    expect(readPage("README.md")).toContain(`](${page})`);
    expect(readPage("en/README.md")).toContain(`](${page})`);
  }
});

test.each(pages)("%s: the English page has the same commands", (page) => {
  expect(commandsOf(`en/${page}`)).toEqual(commandsOf(page));
});

test("the guide quotes only commands that exist", async () => {
  for (const command of quotedCommands()) {
    const run = await workshop.runBare([...command.split(" "), "--help"]);
    expect([command, run.exitCode, run.stdout]).toEqual([
      command,
      0,
      expect.stringContaining(`fiscal ${command}`),
    ]);
  }
});

test("the guide explains the authority's codes as the program does (npm run guide:codes writes the pages)", () => {
  expect(readPage("codes.md")).toBe(renderCodesPage("el"));
  expect(readPage("en/codes.md")).toBe(renderCodesPage("en"));
});

test.each(pages)("%s: all commands work and print what the page says", async (page) => {
  if (page.includes("rejections")) await failTwo();
  let printed = "";
  for (const step of stepsOf(page)) {
    if ("file" in step) {
      const bytes = iconv.encode(`${step.content}\n`, step.encoding);
      await workshop.write(step.file, bytes);
    } else if ("line" in step) {
      const { stdout, stderr } = await takeCommand(step.line, step.onNewComputer);
      printed += stripVTControlCharacters(`${stdout}${stderr}`);
    } else {
      expectPrinted(step.output, printed);
      printed = "";
    }
  }
});
