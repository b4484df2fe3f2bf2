/** The shape that an adapter must have. */
import { describe, expect, test } from "vitest";
import { findShapeProblems } from "../../src/providers/adapter-shape.ts";
import { createScriptedProvider } from "../helpers/scripted-provider.ts";

const FIELD = { name: "token", label: "Token", secret: true, required: true, lengthMax: 100 };

/** The problems of `value` in English. */
const problemsOf = (value: unknown) => findShapeProblems(value, "provider_b").map(({ en }) => en);

const adapterWith = (changes: Record<string, unknown>) => ({
  ...createScriptedProvider({ provider: "provider_b" }).adapter,
  ...changes,
});

const formOf = (...fields: unknown[]) => ({ credentials: { fields } });

describe("the shape of an adapter", () => {
  test.each([
    ["without credentials", {}],
    ["with a form", formOf(FIELD)],
    ["with a check", { check: () => ({ problems: [], warnings: [], code: "not_supported" }) }],
    ["with members that the contract does not know", { version: 3 }],
    [
      "with texts in both languages",
      {
        name: { en: "Provider B", el: "Πάροχος Β" },
        ...formOf({ ...FIELD, label: { en: "Key", el: "Κλειδί" } }),
      },
    ],
  ])("accepts an adapter %s", (_what, changes) => {
    expect(problemsOf(adapterWith(changes))).toEqual([]);
  });

  test("accepts methods inherited from a class", () => {
    class Base {
      reconcile() {}
    }
    const { reconcile: _own, ...rest } = adapterWith({});
    expect(problemsOf(Object.assign(new Base(), rest))).toEqual([]);
  });

  test.each([
    ["provider", "provider_c", "provider: must be provider_b"],
    ["numbering", "theirs", "numbering: must be one of ours, provider"],
    ["issueBatchMax", 0, "issueBatchMax: must be at least 1"],
    ["issueBatchMax", "1", "issueBatchMax: must be a number"],
    ["name", "", "name: must be a text"],
    ["name", { en: "Provider B" }, "name: must be a text"],
    ["isAuthority", "yes", "isAuthority: must be true or false"],
    ["canCancel", undefined, "canCancel: is required"],
    ["hasPdf", "no", "hasPdf: must be true or false"],
    ["settle", undefined, "settle: is required"],
    ["settle", { askings: 0, seconds: 0 }, "settle.askings: must be at least 1"],
    ["settle", { askings: 1, seconds: -1 }, "settle.seconds: must be at least 0"],
    ["check", true, "check: must be a function"],
    ["buildPayload", undefined, "buildPayload: must be a function"],
    ["issue", undefined, "issue: must be a function"],
    ["status", undefined, "status: must be a function"],
    ["reconcile", {}, "reconcile: must be a function"],
    ["cancel", null, "cancel: must be a function"],
    ["findCancellation", undefined, "findCancellation: must be a function"],
    ["fetchPdf", undefined, "fetchPdf: must be a function"],
    ["verify", undefined, "verify: must be a function"],
    ["credentials", undefined, "credentials: is required"],
    ["credentials", { fields: {} }, "credentials.fields: must be an array"],
  ])("rejects %s: %j", (name, value, problem) => {
    const problems = problemsOf(adapterWith({ [name]: value }));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ["no object", formOf("token"), "fields[0]: must be an object"],
    ["a name that no variable can have", formOf({ ...FIELD, name: "API-Key" }), "fields[0].name: must"],
    ["a label in one language", formOf({ ...FIELD, label: { el: "Κλειδί" } }), "fields[0].label: must"],
    ["no label", formOf({ ...FIELD, label: "" }), "fields[0].label: must"],
    ["secret left open", formOf({ ...FIELD, secret: undefined }), "fields[0].secret: is required"],
    ["required left open", formOf({ ...FIELD, required: "yes" }), "fields[0].required: must"],
    ["no length", formOf({ ...FIELD, lengthMax: 1.5 }), "fields[0].lengthMax: must be an integer"],
  ])("rejects a form with %s", (_what, changes, problem) => {
    const problems = problemsOf(adapterWith(changes));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each([[undefined], [null], ["adapter"], [[]], [() => {}]])("rejects %s", (value) => {
    expect(problemsOf(value)).toEqual([expect.stringMatching(/must be an object|is required/)]);
  });

  test("reports all missing members at once, in both languages", () => {
    const problems = findShapeProblems({}, "provider_b");
    expect(problems).toHaveLength(14);
    for (const { en, el } of problems)
      expect([en, el]).toEqual([expect.stringMatching(/^[ -~]+$/), expect.stringMatching(/[α-ωά-ώ]/)]);
  });
});
