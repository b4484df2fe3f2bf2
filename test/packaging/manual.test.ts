/** The manual page in the package: docs/command-line.md. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { manualPage } from "../../packaging/manual.ts";

test.each([
  ["en", "fiscal documents new \\[options\\]", "tax number, with its country unless Greek"],
  ["el", "fiscal documents new \\[επιλογές\\]", "ΑΦΜ, με τη χώρα του αν δεν είναι ελληνικό"],
] as const)(
  "in %s has each verb with its flags and examples, and nothing that roff takes for a request",
  async (language, usage, help) => {
    const page = await manualPage(language, "1.2.3");
    expect(page).toMatch(new RegExp(`^\\.SS ${usage}$`, "m"));
    expect(page).toContain(`.B \\-\\-customer <customer>\n${help}\n`);
    expect(page).toContain("  $ fiscal webhooks listen \\-\\-forward\\-to");
    const requests = new Set(page.match(/^[.'].*?(?=\s|$)/gm));
    expect([...requests].sort()).toEqual([".B", ".PP", ".SH", ".SS", ".TH", ".TP", ".fi", ".nf"]);
  },
);

test.each([
  ["en", "EXIT STATUS", "ENVIRONMENT"],
  ["el", "ΚΩΔΙΚΟΙ ΕΞΟΔΟΥ", "ΜΕΤΑΒΛΗΤΕΣ ΠΕΡΙΒΑΛΛΟΝΤΟΣ"],
] as const)(
  "in %s has the exit codes and the variables of the environment",
  async (language, exits, variables) => {
    const page = await manualPage(language, "1.2.3");
    const [, codes = "", environment = ""] = page.split(new RegExp(`^\\.SH (?:${exits}|${variables})$`, "m"));
    expect([...codes.matchAll(/^\.B (\d+)$/gm)].map(([, code]) => Number(code))).toEqual([
      0, 1, 2, 3, 4, 5, 78, 130,
    ]);
    for (const variable of ["FISCAL_DATA_DIR", "FISCAL_SERVER__PORT", "FISCAL_MASTER_KEY"])
      expect(environment).toMatch(new RegExp(`^\\.B ${variable}\n\\S`, "m"));
    expect(environment).toContain("FISCAL_CONFIG");
  },
);

test("explains the exit codes as docs/command-line.md does", async () => {
  const docs = readFileSync(resolve(import.meta.dirname, "../../docs/command-line.md"), "utf8");
  const [, table = ""] = docs.split("\n## Exit codes\n");
  const rows = [...table.matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  expect(rows).toHaveLength(8);
  const page = await manualPage("en", "1.2.3");
  for (const [, code, meaning] of rows) expect(page).toContain(`.TP\n.B ${code}\n${meaning}\n`);
});
