/** Tests finding our document in the authority's listing. */
import { describe, expect, test } from "vitest";
import { readTransmitted } from "../../../src/providers/registry-direct/answers.ts";
import { findRegistered } from "../../../src/providers/registry-direct/lookup.ts";
import { buildOutgoing } from "../../helpers/documents.ts";
import { listed, type ListedInvoice, MARK, QR, requestedDoc, readXml } from "./bench.ts";

const document = buildOutgoing("1.1");
const LATER = "400009999999999";
const LONGER = "4000099999999990";

async function findIn(
  invoices: readonly Partial<ListedInvoice>[],
  cancellations: readonly [string, string][] = [],
) {
  const body = requestedDoc(invoices.map((invoice) => listed({ document, ...invoice })));
  const page = (await readTransmitted(readXml(body)!))!;
  return findRegistered(
    { kind: "listed", invoices: page.invoices, cancellations: new Map(cancellations) },
    document,
  );
}

const FOUND = {
  kind: "issued",
  mark: MARK,
  uid: document.uid,
  qrUrl: QR,
  surplusMarks: [],
  cancelledMarks: [],
};

describe("found", () => {
  test.each<[string, Partial<ListedInvoice>[]]>([
    ["by its uid", [{}]],
    ["by its uid in lower case", [{ uid: document.uid!.toLowerCase() }]],
    ["among others", [{ document: buildOutgoing("1.1", {}, { number: 58, uid: "B".repeat(40) }) }, {}]],
    [
      "by its uid, even if other fields differ",
      [{ document: { ...document, series: "X" }, uid: document.uid }],
    ],
    ["by series, number, day, type and branch where the uid is missing", [{ uid: null }]],
  ])("%s", async (_, invoices) => {
    expect(await findIn(invoices)).toEqual(FOUND);
  });

  test("under another uid that the authority derived, which becomes the document's", async () => {
    expect(await findIn([{ uid: "F".repeat(40) }])).toEqual({ ...FOUND, uid: "F".repeat(40) });
  });
});

test.each<[string, Partial<ListedInvoice>[]]>([
  ["an empty listing", []],
  ["another number", [{ document: { ...document, number: 58 }, uid: "B".repeat(40) }]],
  ["another series", [{ document: { ...document, series: "TIN" }, uid: "B".repeat(40) }]],
  ["another type", [{ document: { ...document, sentType: "1.2" }, uid: "B".repeat(40) }]],
  [
    "another branch",
    [
      {
        document: buildOutgoing(
          "1.1",
          { supplier: { tax_id: { country: "GR", code: "123456783" }, branch: 1 } },
          { series: "TIM" },
        ),
      },
    ],
  ],
  ["another document of this identity that was cancelled", [{ gross: "99", cancelledByMark: LATER }]],
])("absent: %s", async (_, invoices) => {
  expect(await findIn(invoices)).toEqual({ kind: "absent" });
});

describe("several MARKs of one document", () => {
  // docs/authority.md#several-marks
  test("keeps the highest, and the others are surplus", async () => {
    expect(await findIn([{ mark: LATER }, { mark: LONGER }, {}])).toEqual({
      ...FOUND,
      mark: LONGER,
      surplusMarks: [LATER, MARK],
    });
  });

  test("ignores a cancelled one if another is valid", async () => {
    expect(await findIn([{ cancelledByMark: "400009999999902" }, { mark: LATER }])).toEqual({
      ...FOUND,
      mark: LATER,
      cancelledMarks: [MARK],
    });
    expect(await findIn([{}, { mark: LATER }, { mark: LONGER, cancelledByMark: "1" }])).toEqual({
      ...FOUND,
      mark: LATER,
      surplusMarks: [MARK],
      cancelledMarks: [LONGER],
    });
  });

  test("also ignores one whose cancellation is listed separately", async () => {
    expect(await findIn([{}, { mark: LATER }], [[MARK, "400009999999902"]])).toEqual({
      ...FOUND,
      mark: LATER,
      cancelledMarks: [MARK],
    });
  });

  test("keeps the highest if all are cancelled, because a cancelled document is not sent again", async () => {
    expect(await findIn([{ mark: LATER, cancelledByMark: "1" }, { cancelledByMark: "2" }])).toEqual({
      ...FOUND,
      mark: LATER,
      cancelledMarks: [MARK],
      cancellationMark: "1",
    });
  });

  test("does not count another document with the same identity as surplus", async () => {
    expect(await findIn([{}, { mark: LATER, gross: "99" }])).toEqual(FOUND);
    expect(await findIn([{ gross: "99" }, { mark: LATER }])).toEqual({ ...FOUND, mark: LATER });
  });
});

test.each<[string, Partial<ListedInvoice>, string]>([
  ["another document has the identity", { gross: "99" }, "has this series and number"],
  ["no MARK", { mark: null }, "does not show for certain"],
  ["an invalid MARK", { mark: "x" }, "does not show for certain"],
  ["an unreadable total", { gross: "x" }, "does not show for certain"],
])("undecided: %s", async (_, invoice, words) => {
  expect(await findIn([invoice])).toMatchObject({
    kind: "unknown",
    error: { code: "provider_unavailable", message: expect.stringContaining(words) },
  });
});
