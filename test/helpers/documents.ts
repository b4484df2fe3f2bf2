/** Builds valid canonical documents of every type, and the outgoing documents that adapters receive. */
import type * as v from "valibot";
import {
  type CanonicalDocument,
  type CanonicalDocumentSchema,
  type DocumentType,
  parseDocument,
  typeInfo,
} from "../../src/domain/canonical-document.ts";
import { classify, sentType } from "../../src/domain/classification.ts";
import { computeUid, defaultSeries } from "../../src/domain/series.ts";
import { computeTotals } from "../../src/domain/totals.ts";
import type { OutgoingDocument } from "../../src/domain/provider-adapter.ts";

export type DocumentInput = v.InferInput<typeof CanonicalDocumentSchema>;
export type LineInput = DocumentInput["lines"][number];
type PartyInput = DocumentInput["supplier"];

export const TODAY = "2026-11-21";
export const SUPPLIER = "123456783";

/** A customer in each market that classification distinguishes. */
export const CUSTOMERS = {
  greek: { tax_id: { country: "GR", code: "094012834" } },
  eu: {
    tax_id: { country: "DE", code: "123456789" },
    name: "Muster GmbH",
    address: { street: "Hauptstraße", number: "1", postal_code: "10115", city: "Berlin" },
  },
  abroad: {
    tax_id: { country: "CH", code: "CHE123456788" },
    name: "Beispiel AG",
    address: { postal_code: "8001", city: "Zürich" },
  },
} as const satisfies Record<string, PartyInput>;

/** For goods it belongs to the EU, for services it does not. */
export const NORTHERN_IRELAND = { ...CUSTOMERS.eu, tax_id: { country: "XI", code: "123456789" } };
export const MARKETS = { ...CUSTOMERS, northern: NORTHERN_IRELAND };

export function isRetail(type: DocumentType): boolean {
  return typeInfo(type).isRetail;
}

/** The cause "any other exemption", which fits every type and customer. */
const ANY_EXEMPTION = 27;

export function buildLine(overrides: Partial<LineInput> = {}): LineInput {
  const line: LineInput = {
    description: "Καφές",
    quantity: "2.5",
    unit_price: 333,
    vat_category: "standard",
    ...overrides,
  };
  const needsCause = line.vat_category === "exempt" && !("vat_exemption" in overrides);
  return needsCause ? { ...line, vat_exemption: ANY_EXEMPTION } : line;
}

/** A valid document: a Greek customer where the type has one, and a line of 8.33 net. Totals follow the lines unless given. */
export function buildDocument(type: DocumentType, overrides: Partial<DocumentInput> = {}): DocumentInput {
  const lines = overrides.lines ?? [buildLine()];
  const { net, vat, gross } = computeTotals(lines);
  return {
    type,
    issue_date: "2026-11-02",
    currency: "EUR",
    supplier: { tax_id: { country: "GR", code: SUPPLIER } },
    ...(isRetail(type) ? {} : { customer: CUSTOMERS.greek }),
    ...(type === "5.1" ? { original_marks: ["400001234567890"] } : {}),
    lines,
    totals: { net, vat, gross },
    ...overrides,
  };
}

/** The same document after parsing. */
export function buildParsed(type: DocumentType, overrides: Partial<DocumentInput> = {}): CanonicalDocument {
  return parseDocument(buildDocument(type, overrides), { today: TODAY, prefix: "" }).document;
}

/** The document as sent to a provider, with default classification and number 57 of its default series. */
export function buildOutgoing(
  type: DocumentType,
  overrides: Partial<DocumentInput> = {},
  sending: Partial<OutgoingDocument> = {},
): OutgoingDocument {
  const input = buildParsed(type, overrides);
  const { lines, payments } = classify(input, { overrides: {}, originals: [] });
  const { branch } = input.supplier;
  const identity = { sentType: sentType(input), series: defaultSeries(type, branch), number: 57 };
  return {
    id: "doc_0000000000000000000001",
    mode: "test",
    input,
    classifications: lines,
    payments,
    ...identity,
    uid: computeUid({ supplier: SUPPLIER, issueDate: input.issue_date, branch, ...identity }),
    vatPaymentSuspension: false,
    metadata: {},
    wasNotFound: false,
    firstFreeNumber: 1,
    ...sending,
  };
}

/** A path as keys: `["lines", 0, "quantity"]`. */
export type Keys = readonly (string | number)[];

/** A copy of `input` with `value` at `keys`; undefined removes the key. Untyped, because it builds invalid documents. */
export function changed(input: unknown, keys: Keys, value: unknown): unknown {
  const copy: unknown = structuredClone(input);
  let place = copy as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) {
    place[key] ??= {};
    place = place[key] as Record<string | number, unknown>;
  }
  const last = keys.at(-1);
  if (last === undefined) return value;
  if (value === undefined) delete place[last];
  else place[last] = value;
  return copy;
}
