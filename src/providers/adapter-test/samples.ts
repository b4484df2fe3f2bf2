/** The documents of the suite: valid, all different, and frozen, because adapters must not change them. */
import { parseDocument } from "../../domain/canonical-document.ts";
import { classify, sentType } from "../../domain/classification.ts";
import { computeUid, defaultSeries } from "../../domain/series.ts";
import type {
  IssueOutcome,
  OutgoingDocument,
  ProviderAdapter,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import type { SceneClock } from "./scenes.ts";

/** Valid numbers that no business has. */
const SUPPLIER = "123456783";

/** Complete, so that no provider needs a lookup. */
const CUSTOMER = {
  tax_id: { country: "GR", code: "094012834" },
  name: "Παράδειγμα ΑΕ",
  address: { street: "Ερμού", number: "1", postal_code: "10563", city: "Αθήνα" },
} as const;

/** Ids and numbers are never reused, even if several scenes share a fake. */
let lastNumber = 0;

/** A sales invoice of 8.33 net, with a number if we number. */
export function buildSample(
  numbering: ProviderAdapter["numbering"],
  clock: SceneClock,
  mode: "test" | "live" = "test",
): OutgoingDocument {
  lastNumber += 1;
  const { document: input } = parseDocument(
    {
      type: "1.1",
      issue_date: clock.today(),
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      customer: CUSTOMER,
      lines: [{ description: "Καφές", quantity: "2.5", unit_price: 333, vat_category: "standard" }],
      totals: { net: 833, vat: 200, gross: 1033 },
    },
    { today: clock.today(), prefix: "" },
  );
  const { lines, payments } = classify(input, { overrides: {}, originals: [] });
  const { branch } = input.supplier;
  const identity = {
    sentType: sentType(input),
    series: defaultSeries(input.type, branch),
    number: lastNumber,
  };
  const uid = computeUid({ supplier: SUPPLIER, issueDate: input.issue_date, branch, ...identity });
  const isOurs = numbering === "ours";
  return {
    id: `doc_${String(lastNumber).padStart(22, "0")}`,
    mode,
    input,
    classifications: lines,
    payments,
    ...identity,
    ...(isOurs ? { uid } : { series: null, number: null, uid: null }),
    vatPaymentSuspension: false,
    metadata: {},
    wasNotFound: false,
    firstFreeNumber: 1,
  };
}

/** The document after it was sent, as known from `outcome`. */
export function buildSent(
  document: OutgoingDocument,
  outcome: IssueOutcome | undefined,
  clock: SceneClock,
): SentDocument {
  const sent = { polls: 0, submittedAt: new Date(clock.nowMs()).toISOString() };
  const bare = { ...document, providerRef: null, mark: null, ...sent };
  if (outcome?.kind !== "issued" && outcome?.kind !== "accepted") return bare;
  return {
    ...bare,
    uid: outcome.uid ?? document.uid,
    series: outcome.series ?? document.series,
    number: outcome.number ?? document.number,
    ...(outcome.kind === "issued" ? { mark: outcome.mark } : { providerRef: outcome.providerRef }),
  };
}

export function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
}
