/**
 * The situations that an adapter is tested in, and the documents of the suite. The author writes a fake provider for each situation,
 * because only the author knows how the provider answers; the suite checks what must hold for every provider. The documents are valid, all
 * different, and frozen, because adapters must not change them.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type {
  IssueOutcome,
  OutgoingDocument,
  ProviderAdapter,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import { parseDocument } from "../../domain/canonical-document.ts";
import { classify, sentType } from "../../domain/classification.ts";
import { computeUid, defaultSeries } from "../../domain/series.ts";

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
export function buildSample(numbering: ProviderAdapter["numbering"], clock: SceneClock): OutgoingDocument {
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
    mode: "test",
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

/** The clock of the suite, which never advances. Fakes use it too, and documents are dated `today`. */
export interface SceneClock {
  nowMs(): number;
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
}

export interface Scene {
  /** Its address, which `createAdapter` receives. */
  url: string;
  /** How many documents it has registered, counted by the fake, whatever it responded. */
  registrations(): number | Promise<number>;
  /** How many requests have reached it, of any kind. */
  requests(): number | Promise<number>;
  /** Changes to the suite's documents for this scene. */
  adapt?(document: OutgoingDocument): OutgoingDocument;
  /** May throw if the fake received something wrong; the case then fails. */
  close(): Promise<void>;
}

export interface RefusingScene extends Scene {
  refusal: { code: string; message: string };
}

/** Why the situation cannot occur with this provider. Accepted only where the contract allows it. */
export interface CannotHappen {
  cannotHappen: string;
}

type Open<Opened extends Scene = Scene> = ((clock: SceneClock) => Promise<Opened>) | CannotHappen;

export interface Scenes {
  /** Registers and returns the MARK at once. If the provider never does, `accepts` is enough. */
  issues: Open;
  /** Registers and returns the MARK when asked. If the provider always returns it at once, `issues` is enough. */
  accepts: Open;
  /** Reads each document and refuses it for good. */
  rejects: Open<RefusingScene>;
  /** Refuses the account regardless of the request. */
  refusesCredentials: Open;
  /** Accepts no connections; `nobodyListens` is one. */
  unreachable: Open;
  /** Registers and never responds to the send; responds to everything else. */
  slow: Open;
  /** Closes the connection without reading the send; responds to everything else. */
  cutsBefore: Open;
  /** Registers and closes the connection without a response; responds to everything else. */
  cutsAfter: Open;
  /** Registers and returns an unreadable response to the send, such as half of it; responds normally to everything else. */
  garbled: Open;
  /** Registers and responds to the send with an unexplained 500; responds normally to everything else. */
  fails: Open;
}

export type SceneName = keyof Scenes;

/** Every scene, so that authors who use no types learn about missing ones. */
export const SCENE_NAMES = [
  "issues",
  "accepts",
  "rejects",
  "refusesCredentials",
  "unreachable",
  "slow",
  "cutsBefore",
  "cutsAfter",
  "garbled",
  "fails",
] as const satisfies readonly SceneName[];

/** A scene whose port has no listener any more. `path` is what the adapter expects after the host. */
export async function nobodyListens(path = ""): Promise<Scene> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return {
    url: `http://127.0.0.1:${port}${path}`,
    registrations: () => 0,
    requests: () => 0,
    close: async () => {},
  };
}
