/** provider_a's adapter with a local server that sends scripted responses. */
import type {
  CallContext,
  CallRecorder,
  OutgoingDocument,
  SentDocument,
} from "../../../src/domain/provider-adapter.ts";
import { createExchange } from "../../../src/providers/exchange.ts";
import { createProviderA } from "../../../src/providers/provider-a/adapter.ts";
import type { DocumentType } from "../../../src/domain/canonical-document.ts";
import { buildOutgoing, type DocumentInput } from "../../helpers/documents.ts";
import { startScriptedServer } from "../../helpers/scripted-server.ts";

const TODAY = "2026-11-02";
export const ID = "doc_0000000000000000000001";
export const UID = "A".repeat(40);
export const TOKEN = "synthetic.jwt.token";

/** A call as the log would show it. */
export interface Logged {
  /** `own` for the operation's own recorder, otherwise operation and purpose: `lookup operation`. */
  name: string;
  url?: string;
  status?: number;
  failed?: string;
}

export const LOGIN = { body: { data: { type: "jwt", attributes: { jwt: TOKEN } } } } as const;
export const BOOKS = [
  { id: "book-tim", name: "TIM", series: "TIM", invoice_type_code: "1.1", number: 7 },
  { id: "book-tpy", name: "TPY", series: "TPY", invoice_type_code: "2.1", number: 1 },
  { id: "book-pim", name: "PIM", series: "PIM", invoice_type_code: "5.2", number: 1 },
  { id: "book-alp", name: "ALP", series: "ALP", invoice_type_code: "11.1", number: 1 },
  { id: "book-al4", name: "AL4", series: "AL4", invoice_type_code: "11.4", number: 1 },
] as const;

/** A customer for whom the provider needs no lookup. */
export const WHOLE_CUSTOMER = {
  tax_id: { country: "GR", code: "094012834" },
  name: "Παράδειγμα ΑΕ",
  address: { street: "Ερμού", number: "1", postal_code: "10563", city: "Αθήνα" },
} as const;

export function issuedAnswer(overrides: Record<string, unknown> = {}) {
  return {
    id: "inv-1",
    external_id: ID,
    my_data_mark: "400001234567890",
    my_data_uid: UID.toLowerCase(),
    my_data_qr_url: "https://provider.example/qr/1",
    series: "TIM",
    num: 8,
    issued_at: "02-11-2026",
    cancelled_by_mark: null,
    transmission_failure: null,
    ...overrides,
  };
}

export const ISSUED = {
  kind: "issued",
  mark: "400001234567890",
  uid: UID,
  qrUrl: "https://provider.example/qr/1",
  series: "TIM",
  number: 8,
} as const;

/** Dated today, with complete customer details if the type has one, and numbered by the provider. */
export function buildSending(type: DocumentType, overrides: Partial<DocumentInput> = {}): OutgoingDocument {
  const isRetail = type.startsWith("11.");
  const input = { issue_date: TODAY, ...(isRetail ? {} : { customer: WHOLE_CUSTOMER }), ...overrides };
  return buildOutgoing(type, input, { series: null, number: null, uid: null });
}

export function buildSent(document: OutgoingDocument, sending: Partial<SentDocument> = {}): SentDocument {
  return {
    ...document,
    providerRef: null,
    mark: null,
    polls: 0,
    submittedAt: "2026-11-02T08:00:00.000Z",
    ...sending,
  };
}

export async function openBench() {
  const logged: Logged[] = [];
  const secrets: string[] = [];
  let nowMs = Date.parse("2026-11-02T08:00:00.000Z");
  let today = TODAY;

  const server = await startScriptedServer((verb, path) => `${verb} ${path.replace(/^\/api/, "")}`);
  const { origin } = server;
  const exchange = createExchange();
  const options = { liveUrl: "https://live.invalid/api", timeoutSeconds: 5, exchange, today: () => today };
  const adapter = createProviderA({ ...options, testUrl: `${origin}/api/` });

  function record(name: string): CallRecorder {
    const entry: Logged = { name };
    return {
      request({ url }) {
        logged.push(entry);
        entry.url = url.replace(origin, "");
      },
      response: ({ status }) => void (entry.status = status),
      failed: (cause) => void (entry.failed = String(cause)),
    };
  }

  /** A new call context, as the queue creates for each claim. */
  function call(
    credentials: Record<string, string> = { api_key: "key-1", email: "a@b.example" },
  ): CallContext {
    const evidence = record("own");
    return {
      mode: "test",
      credentials,
      signal: new AbortController().signal,
      nowMs: () => nowMs,
      secret: (value) => void secrets.push(value),
      evidence,
      evidenceOf: () => evidence,
      known: () => undefined,
      filing: async () => undefined,
      begin: async (operation, purpose) => record(`${operation} ${purpose}`),
    };
  }

  const bench = {
    ...server,
    adapter,
    logged,
    secrets,
    call,
    advance: (ms: number) => void (nowMs += ms),
    setToday: (day: string) => void (today = day),
    async issue(document: OutgoingDocument, context = call()) {
      const [outcome] = await adapter.issue([document], context);
      return outcome!;
    },
    async reconcile(document: SentDocument, context = call()) {
      const [outcome] = await adapter.reconcile([document], context);
      return outcome!;
    },
    async status(document: SentDocument, context = call()) {
      const [outcome] = await adapter.status([document], context);
      return outcome!;
    },
    async close() {
      await exchange.close();
      await server.close();
    },
  };
  bench.always("POST /login", LOGIN);
  bench.always("GET /billing_books", { body: BOOKS });
  return bench;
}
