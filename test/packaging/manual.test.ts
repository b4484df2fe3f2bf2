/** The manual page in the package: docs/command-line.md. */
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
