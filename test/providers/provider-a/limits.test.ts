import { buildParsed } from "../../helpers/documents.ts";
import { describe, expect, test } from "vitest";
import { checkForProviderA } from "../../../src/providers/provider-a/payload.ts";

const pay = (...methods: ("cash" | "pos")[]) => methods.map((method) => ({ method, amount: 1 }));

describe("the check finds what the provider cannot issue", () => {
  test.each([
    ["today with one payment", "2026-11-02", pay("cash"), []],
    ["today without payments", "2026-11-02", undefined, []],
    ["several payments of one method", "2026-11-02", pay("pos", "pos"), []],
    ["another day", "2026-11-01", undefined, ["issue_date"]],
    ["several methods", "2026-11-02", pay("cash", "pos"), ["payments"]],
    ["both", "2026-11-03", pay("cash", "pos"), ["issue_date", "payments"]],
  ])("%s", (_name, issue_date, payments, paths) => {
    const problems = checkForProviderA({ ...buildParsed("1.1"), issue_date, payments }, "2026-11-02");
    expect(problems.map(({ path }) => path)).toEqual(paths);
  });
});
