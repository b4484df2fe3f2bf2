// docs/contract.md#classification-object
import { beforeAll, expect, test } from "vitest";
import { buildDocument, buildLine, useCanonical } from "../helpers/canonical.ts";
import { MERCHANTS } from "../helpers/bench.ts";

const OWN = { category: "category1_1", type: "E3_561_001" } as const;
const SETTING = { category: "category1_2", type: "E3_561_001" } as const;
const classified = buildLine({ income_classification: OWN });
const bare = buildLine();

/** A second server, whose only merchant has its own classifications. */
const { server, expectTaken, expectIssued } = useCanonical();
const withSettings = useCanonical();
beforeAll(async () => {
  const body = { classification: { "1.1": SETTING } };
  const path = `${MERCHANTS}/${withSettings.server.merchant}/settings`;
  expect((await withSettings.server.request("PUT", path, { body })).status).toBe(200);
});

async function classification(lines: (typeof bare)[], own = false, type: "1.1" | "2.1" = "1.1") {
  const document = buildDocument(type, { lines, payments: undefined });
  return (await (own ? withSettings.expectTaken : expectTaken)(document)).classification;
}

test.each([
  ["line", "every line brings its own", [classified, classified], false, "line"],
  ["default", "the only line takes the service's", [bare], false, "default"],
  ["default", "one of several takes the service's", [classified, bare], false, "default"],
  ["override", "a line takes the merchant's", [classified, bare], true, "override"],
  ["line", "a line's own comes before the merchant's", [classified], true, "line"],
])("source: %s if %s", async (_source, _when, lines, own, expected) => {
  expect((await classification(lines, own)).source).toBe(expected);
});

test("source: default if the merchant has an override for another type only", async () => {
  expect((await classification([bare], true, "2.1")).source).toBe("default");
});

test("warnings: name each line with a default, and the default, but no line with its own", async () => {
  const { warnings } = await classification([classified, bare, bare]);
  const about = (line: number) => warnings.filter((text: string) => text.startsWith(`line ${line}: `));
  expect(about(1)).toEqual([]);
  for (const line of [2, 3]) {
    expect(about(line)).toHaveLength(1);
    expect(about(line)[0]).toMatch(/default.*category1_1.*E3_561_001/);
  }
  expect((await classification([bare], true)).warnings.join()).not.toMatch(/line 1: .*default/);
});

test("warnings: empty if there is nothing to check", async () => {
  const customer = { tax_id: { country: "GR", code: "094012834" } };
  const document = buildDocument("1.1", { lines: [classified], payments: undefined, customer });
  for (const shown of [await expectTaken(document), await expectIssued(document)])
    expect(shown.classification).toEqual({ source: "line", warnings: [] });
});

test("an issued document has the classification of its preview", async () => {
  const { body } = await server.issue({ document: buildDocument("1.1", { lines: [classified, bare] }) });
  const preview = await classification([classified, bare]);
  expect(body.data.classification).toEqual(preview);
  expect(Object.keys(preview)).toEqual(["source", "warnings"]);
});
