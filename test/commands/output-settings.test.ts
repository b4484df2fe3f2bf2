/** Output for people: --quiet, colours, width and language. */
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { answering, expectRefused, openWorkshop } from "../helpers/program.ts";
import { lines, receipt, openShop } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const workshop = forAllTests(openShop);
beforeAll(async () => {
  const long = receipt("a-reference-that-is-far-longer-than-any-column-of-a-small-terminal");
  await workshop.run("documents issue - --merchant shop", {
    stdin: lines([receipt("2026-001"), long]),
  });
});

describe("--quiet", () => {
  test("prints the result without notes", async () => {
    const args = ["documents", "issue", "-", "--merchant", "shop"];
    const run = await workshop.run(args, { stdin: lines([receipt("q-1")]) });
    const quiet = await workshop.run(["--quiet", ...args], { stdin: lines([receipt("q-2")]) });
    expect(run.stderr).toContain("1 accepted: 1 issued.");
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
    expect(quiet.stdout).toContain("q-2");
  });

  test("draws no progress bar on a terminal", async () => {
    await workshop.write("more.ndjson", lines([receipt("q-3")]));
    const line = "documents issue more.ndjson --merchant shop";
    expect((await workshop.run(line, { terminal: true })).stderr).toContain("accepting");
    const quiet = await workshop.run(`${line} --quiet`, { terminal: true });
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("still prints rejections and errors", async () => {
    expectRefused(
      await workshop.run("--quiet documents issue - --merchant shop", {
        stdin: lines([{ document: {} }]),
      }),
      2,
      "validation_failed",
    );
    expect((await workshop.run("merchants show nobody --quiet")).stderr).toContain("There is no merchant");
  });
});

test("tables are not cut in a pipe, even if COLUMNS is set", async () => {
  const run = await workshop.run("documents list", { env: { COLUMNS: "40" } });
  expect(run.stdout).toContain("a-reference-that-is-far-longer-than-any-column-of-a-small-terminal");
});

const hasColour = (text: string) => text !== stripVTControlCharacters(text);
test.each<{ flags: string[]; env: Record<string, string>; terminal: boolean; coloured: boolean }>([
  { flags: [], env: {}, terminal: true, coloured: true },
  { flags: ["--no-color"], env: {}, terminal: true, coloured: false },
  { flags: ["--color", "always"], env: { NO_COLOR: "1" }, terminal: false, coloured: true },
])("tables are coloured ($coloured) with $flags and $env on a terminal ($terminal)", async (one) => {
  const { flags, env, terminal, coloured } = one;
  const { stdout } = await workshop.run(["merchants", "list", ...flags], { env, terminal });
  expect(hasColour(stdout)).toBe(coloured);
});

describe("the language", () => {
  const GREEK = /\p{Script=Greek}/u;

  test.each<{ flags: string[]; env: Record<string, string>; greek: boolean }>([
    { flags: [], env: {}, greek: false },
    { flags: ["--lang", "el"], env: {}, greek: true },
    { flags: [], env: { LANG: "el_GR.UTF-8" }, greek: true },
    { flags: ["--lang", "en"], env: { LC_ALL: "el_GR.UTF-8" }, greek: false },
  ])("is Greek ($greek) with $flags and $env", async ({ flags, env, greek }) => {
    const help = await workshop.runBare([...flags, "--help"], { env });
    expect(help.exitCode).toBe(0);
    expect(GREEK.test(help.stdout)).toBe(greek);
    const list = await workshop.run([...flags, "connections", "list"], { env });
    expect(list.stderr).toBe(greek ? "Δεν υπάρχουν συνδέσεις.\n" : "No connections.\n");
  });

  test("applies to heads, status words, notes and summaries, but not to data", async () => {
    const { stdout } = await workshop.run("--lang el documents show 2026-001");
    expect(stdout).toContainAll(/^κατάσταση +εκδόθηκε$/m, /^σύνολο +12.40 EUR$/m);
    await workshop.run("merchants add --external-id issued --name no");
    expect((await workshop.run("--lang el merchants list")).stdout).toContainAll(/issued\tno/, /όχι/);
    const stdin = lines([receipt("el-1"), { document: {} }]);
    const issued = await workshop.run("--lang el documents issue - --merchant shop", {
      stdin,
    });
    const warned = await workshop.run("--lang el documents show el-1");
    expect(warned.stderr).toContain(
      "προειδοποίηση: πληρωμές: δεν δόθηκαν, όλο το πληρωτέο στέλνεται ως «Μετρητά»",
    );
    expect(issued.stderr).toContain("1 δεκτό, 1 απορρίφθηκε πριν σταλεί: 1 εκδόθηκε.");
  });

  test("applies to errors and hints", async () => {
    const unknown = await workshop.run("--lang el merchants lst");
    expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
    expect(unknown.stderr).toBe(
      "fiscal: άγνωστη εντολή «lst». Μήπως εννοείτε list;\nΠροσθέστε --help για να δείτε τη χρήση.\n",
    );
    const missing = await workshop.run("--lang el documents show nothing");
    expect(missing.stderr).toMatch(
      /^fiscal: Δεν υπάρχει παραστατικό .*\nΑναζητήστε το με `fiscal documents list`/,
    );
  });

  test("applies to a preview's reasons and an export's totals, which --quiet omits", async () => {
    const stdin = JSON.stringify(receipt("p-1"));
    const preview = await workshop.run("--lang el documents preview -", { stdin });
    expect(preview.stdout).toMatch(/^τύπος +11\.1 απόδειξη λιανικής$/m);
    expect(preview.stdout).toMatch(/^γιατί +η επιχείρηση δεν έχει ενεργή σύνδεση· η δοκιμαστική/m);
    expect(preview.stdout).toContain("προεπιλογή για τον τύπο 11.1");
    const days = ["--from", "2025-01-01", "--to", "2025-12-31"];
    const exported = await workshop.run(["--lang", "el", "documents", "export", ...days]);
    expect(exported.stderr).toContain("τύπος 11.1");
    expect(exported.stdout).toMatch(/^\ufeffπελάτης γραφείου;/);
    const quiet = await workshop.run(["--lang", "el", "--quiet", "documents", "export", ...days]);
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "", stdout: exported.stdout });
  });

  test("applies to questions", async () => {
    const answers = answering({ "Να αρχειοθετηθεί η επιχείρηση:": "n\r" });
    expectRefused(await workshop.run("--lang el merchants archive shop", answers), 1, "Δεν άλλαξε τίποτα.");
  });

  test.each([
    ["documents list", 0],
    ["merchants show shop", 0],
    ["documents show 2026-001", 0],
    ["numbering audit", 0],
    ["merchants show nobody", 3],
  ])("does not change the JSON of %s, which ends with %i", async (line, exitCode) => {
    const [english, greek] = [
      await workshop.run(`${line} --json`),
      await workshop.run(`--lang el ${line} --json`),
    ];
    expect(greek.stdout).toBe(english.stdout);
    if (exitCode > 0) expect(greek.stderr).toBe(english.stderr);
    expect(greek.exitCode).toBe(exitCode);
  });
});

test("an omitted merchant can be searched on a terminal by part of the name, without accents", async () => {
  await workshop.run("merchants add --external-id kiosk --name 'Περίπτερο Ομονοίας'");
  const answers = answering({ "Merchant (type": "περιπτερο ομον" });
  expect(
    await workshop.read("connections link --provider registry_direct", {
      terminal: true,
      onOutput(text, program) {
        answers.onOutput?.(text, program);
        // The typed words match only one merchant.
        if (text.includes("ομον") && text.includes("kiosk") && !text.includes("shop")) program.type("\r");
      },
    }),
  ).toMatchObject({ merchant: (await workshop.read<{ id: string }>("merchants show kiosk")).id });
});

test("an omitted merchant is explained if there is no merchant yet", async () => {
  const empty = await openWorkshop();
  await empty.run("init --yes");
  const run = await empty.run("connections link", { terminal: true });
  await empty.close();
  expectRefused(run, 2, "add one with `fiscal merchants add`");
});
