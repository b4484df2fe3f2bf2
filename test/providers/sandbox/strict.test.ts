/** A strict sandbox rejects what the authority would reject; otherwise the sandbox only warns (docs/contract.md#strict-sandbox). */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelDocument } from "../../../src/documents/cancel.ts";
import {
  DOCUMENT_TYPES,
  type DocumentType,
  INCOME_CATEGORIES,
  INCOME_TYPES,
  VAT_CATEGORIES,
} from "../../../src/domain/canonical-document.ts";
import type { CallContext, OutgoingDocument } from "../../../src/domain/provider-adapter.ts";
import { problemWithPair } from "../../../src/domain/document-rules.ts";
import type { AppError } from "../../../src/foundation/errors.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { createMerchant } from "../../../src/merchants/merchants.ts";
import { CAUSE, openBench } from "../../helpers/appliance.ts";
import {
  buildDocument,
  buildLine,
  buildOutgoing,
  CUSTOMERS,
  type DocumentInput,
  isRetail,
  type LineInput,
} from "../../helpers/documents.ts";

const OTHER_SUPPLIER = "094012834";
const OTHER_CUSTOMER = { tax_id: { country: "GR", code: "099877660" } };
const UNKNOWN_MARK = "400001234567890";
const EXEMPT = buildLine({ vat_category: "exempt" });

async function openShop(isStrict: boolean) {
  const bench = await openBench({ env: { FISCAL_SANDBOX__STRICT: String(isStrict) } });
  // Without a tax number of its own, it may issue for several.
  const { id: merchant } = await createMerchant(
    bench.appliance,
    { external_id: "shop", name: "Shop" },
    CAUSE,
  );
  const accept = (document: DocumentInput) => bench.acceptFor(merchant, { document });
  /** Returns the document once it was issued or refused. */
  async function issue(document: DocumentInput): Promise<DocumentObject> {
    const id = await accept(document);
    await bench.settle();
    return bench.see(id);
  }
  const markOf = async (document: DocumentInput) => (await issue(document)).mark!;
  return { bench, accept, issue, markOf };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

let strict: Shop;
let lenient: Shop;
beforeAll(async () => {
  [strict, lenient] = [await openShop(true), await openShop(false)];
});
afterAll(async () => {
  for (const { bench } of [strict, lenient]) await bench.close();
});

/** Warnings that name an error code of the authority. */
function objectionsTo({ classification }: DocumentObject): string[] {
  return classification.warnings.filter((warning) => /\(\d{3}\)$/.test(warning));
}

const sale = (overrides: Partial<DocumentInput> = {}) => buildDocument("1.1", overrides);
const credit = (mark: string, overrides: Partial<DocumentInput> = {}) =>
  buildDocument("5.1", { original_marks: [mark], ...overrides });
const classified = (category: string, type: string) =>
  buildLine({ income_classification: { category, type } as LineInput["income_classification"] });

async function cancelledSale({ bench, issue }: Shop): Promise<string> {
  const { id, mark } = await issue(sale());
  await cancelDocument(bench.appliance, id, CAUSE);
  return mark!;
}

type Rule = (shop: Shop) => Promise<[broken: DocumentInput, twin: DocumentInput]>;
const another = { customer: OTHER_CUSTOMER };
const worth = (unit_price: number) => ({ lines: [buildLine({ quantity: "1", unit_price })] });
const ofEu = { customer: CUSTOMERS.eu };

/**
 * A document that breaks each rule, and its twin that does not: of the rules of domain/authority-rules one; of domain/credit-checks
 * those that need what is stored of the original.
 */
const RULES: [code: string, name: string, documents: Rule][] = [
  ["215", "VAT on an invoice abroad", async () => [sale(ofEu), sale({ ...ofEu, lines: [EXEMPT] })]],
  [
    "104",
    "a cancelled original",
    async (shop) => [credit(await cancelledSale(shop)), credit(await shop.markOf(sale()))],
  ],
  [
    "301",
    "an original of another issuer",
    async ({ markOf }) => {
      const whole = { supplier: { tax_id: { country: "GR", code: OTHER_SUPPLIER } }, ...another };
      const mark = await markOf(sale(whole));
      return [credit(mark, another), credit(mark, whole)];
    },
  ],
  [
    "318",
    "another customer than the original",
    async ({ markOf }) => {
      const mark = await markOf(sale());
      return [credit(mark, another), credit(mark)];
    },
  ],
  [
    "319",
    "more than is left of the original",
    async ({ markOf }) => {
      const mark = await markOf(sale());
      await markOf(credit(mark, worth(433)));
      return [credit(mark, worth(401)), credit(mark, worth(400))];
    },
  ],
];

describe.each(RULES)("%s, %s,", (code, _name, documents) => {
  test("is rejected with the code by a strict sandbox, and its twin is issued", async () => {
    const [broken, twin] = await documents(strict);
    const rejected = await strict.issue(broken);
    expect(objectionsTo(rejected)).toEqual([
      expect.stringMatching(new RegExp(`the sandbox rejects the document.*\\(${code}\\)$`)),
    ]);
    expect(rejected).toMatchObject({
      status: "rejected",
      number: null,
      error: { code: "provider_rejected", provider_code: code, retryable: false },
    });
    const issued = await strict.issue(twin);
    expect({ status: issued.status, objections: objectionsTo(issued) }).toEqual({
      status: "issued",
      objections: [],
    });
  });

  test("is issued with one warning otherwise", async () => {
    const [broken] = await documents(lenient);
    const issued = await lenient.issue(broken);
    expect(issued.status).toBe("issued");
    expect(objectionsTo(issued)).toEqual([
      expect.stringMatching(new RegExp(`the authority would reject the document \\(${code}\\)$`)),
    ]);
  });
});

test("an unknown original is rejected by a strict sandbox, and not checked otherwise", async () => {
  const rejected = await strict.issue(credit(UNKNOWN_MARK));
  expect(objectionsTo(rejected)).toHaveLength(1);
  expect(rejected).toMatchObject({ status: "rejected", error: { provider_code: "104" } });
  const issued = await lenient.issue(credit(UNKNOWN_MARK));
  expect({ status: issued.status, objections: objectionsTo(issued) }).toEqual({
    status: "issued",
    objections: [],
  });
});

test("a strict sandbox names every rule that is broken, the first with its code", async () => {
  const lines = [buildLine({ unit_price: 0 }), classified("category1_10", "E3_561_001")];
  const { error } = await strict.issue(sale({ customer: CUSTOMERS.eu, lines }));
  expect(error).toMatchObject({
    message: expect.stringContaining("(215): customer: abroad"),
    provider_code: "215",
    provider_message:
      "Vat category must have value 7 for this invoice type; " +
      "NetValue must have value greater than 0 for this invoice type; " +
      "Classification category category1_10 is forbidden for Invoice type 1.2",
  });
});

test("a rejected or cancelled credit note does not count", async () => {
  const mark = await strict.markOf(sale());
  expect(await strict.issue(credit(mark, { customer: OTHER_CUSTOMER }))).toMatchObject({
    status: "rejected",
  });
  const first = await strict.issue(credit(mark));
  await cancelDocument(strict.bench.appliance, first.id, CAUSE);
  expect(await strict.issue(credit(mark))).toMatchObject({ status: "issued" });
});

test("an invoice is cancelled only after its credit note, unless the sandbox is lenient", async () => {
  for (const shop of [strict, lenient]) {
    const invoice = await shop.issue(sale());
    const note = await shop.issue(credit(invoice.mark!));
    const cancel = ({ id }: DocumentObject) => cancelDocument(shop.bench.appliance, id, CAUSE);
    if (shop === strict) {
      const refused = await cancel(invoice).catch((error: AppError) => error.toObject());
      expect(refused).toMatchObject({ code: "provider_rejected", provider_code: "255" });
      await cancel(note);
    }
    expect((await cancel(invoice)).cancellation_mark).not.toBeNull();
  }
});

test("a credit note that is sent twice counts once", async () => {
  const marks = [await strict.markOf(sale())];
  const { providers, clock } = strict.bench.appliance;
  const unrecorded = { request: () => {}, response: () => {}, failed: () => {} };
  const call: CallContext = {
    mode: "test",
    credentials: null,
    signal: AbortSignal.timeout(60_000),
    nowMs: clock.nowMs,
    secret: () => {},
    evidence: unrecorded,
    evidenceOf: () => unrecorded,
    begin: async () => unrecorded,
    filing: async () => {},
    known: () => {},
  };
  const send = async (number: number) =>
    (await providers.get("sandbox").issue([outgoingCredit(marks, number)], call)).map(({ kind }) => kind);
  expect([await send(57), await send(57), await send(58)]).toEqual([
    ["accepted"],
    ["accepted"],
    ["rejected"],
  ]);
});

/** A 5.1 with a number, on which its uid depends. */
function outgoingCredit(marks: string[], number: number): OutgoingDocument {
  return buildOutgoing("5.1", { original_marks: marks }, { number, uid: `uid of ${number}` });
}

describe("every valid document", () => {
  const pairs = INCOME_CATEGORIES.flatMap((category) =>
    [undefined, ...INCOME_TYPES].flatMap((type) =>
      problemWithPair(category, type) === undefined
        ? [type === undefined ? { category } : { category, type }]
        : [],
    ),
  );
  const line: fc.Arbitrary<LineInput> = fc
    .record({
      unit_price: fc.constantFrom(0, 1, 333),
      vat_category: fc.constantFrom(
        "exempt" as const,
        ...(Object.keys(VAT_CATEGORIES) as LineInput["vat_category"][]),
      ),
      pair: fc.option(fc.constantFrom(...pairs), { nil: undefined, freq: 2 }),
    })
    .map(({ pair, ...fields }) =>
      buildLine({ ...fields, ...(pair === undefined ? {} : { income_classification: pair }) }),
    );
  const anyDocument = (marks: readonly string[]) =>
    fc
      .record({
        type: fc.constantFrom(...DOCUMENT_TYPES),
        customer: fc.constantFrom(...Object.values(CUSTOMERS), OTHER_CUSTOMER),
        original_marks: fc.subarray([...marks, UNKNOWN_MARK], { minLength: 1 }),
        lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      })
      .map(
        ({
          type,
          customer,
          original_marks,
          lines,
        }: { type: DocumentType } & Pick<DocumentInput, "customer" | "original_marks" | "lines">) =>
          buildDocument(type, {
            lines,
            ...(isRetail(type) ? {} : { customer }),
            ...(type === "5.1" ? { original_marks } : {}),
          }),
      );

  async function issueAll({ bench, accept }: Shop, documents: readonly DocumentInput[]) {
    const ids: string[] = [];
    for (const document of documents) ids.push(await accept(document));
    await bench.settle();
    return Promise.all(ids.map(bench.see));
  }

  async function forAny(shop: Shop, check: (documents: DocumentObject[]) => void): Promise<void> {
    const sales = [sale(), sale({ lines: [EXEMPT], customer: CUSTOMERS.eu }), buildDocument("11.1")];
    const marks: string[] = [];
    for (const document of sales) marks.push(await shop.markOf(document));
    await fc.assert(
      fc.asyncProperty(fc.array(anyDocument(marks), { minLength: 10, maxLength: 20 }), async (documents) => {
        check(await issueAll(shop, documents));
      }),
      { numRuns: 5 },
    );
  }

  test("is issued by default", async () => {
    await forAny(lenient, (documents) =>
      expect(new Set(documents.map(({ status }) => status))).toEqual(new Set(["issued"])),
    );
  });

  test("is issued by a strict sandbox if it has no such warning, and rejected with the first otherwise", async () => {
    await forAny(strict, (documents) => {
      for (const document of documents) {
        const [code] = objectionsTo(document).map((warning) => warning.slice(-4, -1));
        // A credit note in the queue counts when another is accepted, but no longer once it is rejected.
        if (code === "319") continue;
        expect(document).toMatchObject(
          code === undefined ? { status: "issued" } : { status: "rejected", error: { provider_code: code } },
        );
      }
    });
  });
});
