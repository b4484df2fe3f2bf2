import { describe, expect, test } from "vitest";
import { NOUNS } from "../../commands/nouns.ts";
import { openWorkshop, expectRefused, expectPrinted } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const workshop = forAllTests(openWorkshop);

describe("version and help", () => {
  test.each([["--version"], ["-V"]])("%s prints the version alone", async (flag) => {
    expect(await workshop.runBare(`${flag}`)).toMatchObject({ exitCode: 0, stdout: "1.2.3\n", stderr: "" });
  });

  test("--help lists every noun on stdout", async () => {
    const run = await workshop.runBare("--help");
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toBe("");
    for (const [name, { en }] of Object.entries(NOUNS)) {
      expect(run.stdout).toMatch(new RegExp(`${name} .*${en.slice(0, 20)}`));
    }
  });

  test("no noun prints the help to stderr and is a usage error", async () => {
    expectRefused(await workshop.runBare(""), 2, "Usage: fiscal");
  });

  test("a noun without a verb prints its verbs to stderr and is a usage error", async () => {
    expectRefused(await workshop.runBare("merchants"), 2, "unarchive");
  });

  const verbs: Record<string, string> = {
    init: "",
    quickstart: "",
    serve: "",
    console: "",
    documents:
      "issue new preview list show repeat retry cancel abandon pdf send export template map credit correct reconcile",
    merchants: "add list show update archive unarchive settings",
    numbering: "show set audit",
    events: "tail list show resend",
    webhooks: "add list show update remove rotate-secret deliveries replay listen verify",
    connections: "add list show verify disconnect link",
    requests: "tail list show",
    calls: "tail list show",
    reports: "vat income overview",
    customers: "list show statement forget",
    "tax-id": "lookup",
    doctor: "",
    backup: "verify",
    restore: "",
    resume: "",
    move: "",
    audit: "",
    erase: "",
    mcp: "",
    openapi: "",
    trigger: "",
    errors: "explain",
    keys: "create list roll revoke rotate-master",
    completion: "",
  };
  const split = (own: string) => own.split(" ").filter(Boolean);
  const lines = Object.entries(verbs).flatMap(([noun, own]) => [
    noun,
    ...split(own).map((verb) => `${noun} ${verb}`),
  ]);

  test("the help lists every noun and verb", async () => {
    expect(Object.keys(NOUNS).sort()).toEqual(Object.keys(verbs).sort());
    for (const [noun, own] of Object.entries(verbs)) {
      const { stdout } = await workshop.runBare(`${noun} --help`);
      const [, listed = ""] = stdout.split("Commands:\n");
      const names = listed.split("\n\n")[0]!.match(/^ {2}[\w-]+/gm) ?? [];
      expect(names.map((name) => name.trim()).sort()).toEqual(split(own).sort());
    }
  });

  test.each(lines)("%s --help shows an example and the global options", async (line) => {
    const run = await workshop.runBare([...line.split(" "), "--help"]);
    expectPrinted(run, 0, /Examples:\n {2}\$ fiscal /, "--data-dir <folder>");
  });

  test("help NOUN VERB means NOUN VERB --help", async () => {
    const helped = await workshop.runBare("help documents issue");
    const asked = await workshop.runBare("documents issue --help");
    expect(helped).toMatchObject({ exitCode: 0, stdout: asked.stdout });
    const behindFlags = await workshop.runBare("--data-dir d --quiet help documents issue");
    expect(behindFlags).toMatchObject({ exitCode: 0, stdout: asked.stdout });
  });
});

describe("a usage error", () => {
  test.each([
    ["merchnats", "άγνωστη εντολή «merchnats». Μήπως εννοείτε merchants;"],
    ["merchants list --limt 3", "άγνωστη επιλογή «--limt». Μήπως εννοείτε --limit;"],
    ["merchants list --limit", "λείπει η τιμή της επιλογής «--limit <n>»"],
    ["calls show", "λείπει το όρισμα «call»· η `fiscal calls list` δείχνει ποια υπάρχουν"],
    ["calls list a b", "αναμένονται 0, δόθηκαν 2"],
  ])("fiscal %s is explained in Greek", async (line, says) => {
    const run = await workshop.runBare(`--lang el ${line}`);
    expectRefused(run, 2, says);
    expect(run.stderr).not.toMatch(/\b(unknown|missing|argument|expected)\b/);
  });

  test("with --json an error is the API's error object on stderr", async () => {
    const run = await workshop.runBare("merchants list --limit 0 --json");
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr)).toEqual({
      code: "validation_failed",
      message: "--limit must be an integer from 1 to 100",
      provider_code: null,
      provider_message: null,
      retryable: false,
    });
  });
});
