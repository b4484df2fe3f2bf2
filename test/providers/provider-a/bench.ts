/**
 * provider_a's adapter with a local server that sends scripted responses: the next queued one for a request, otherwise its
 * fixed one. A request without a response, and an unused queued response, fail the test.
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
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

export const TODAY = "2026-11-02";
export const ID = "doc_0000000000000000000001";
export const UID = "A".repeat(40);
export const TOKEN = "synthetic.jwt.token";

/** `cut` closes the connection without a response after the request was read; `after` holds the response back. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: unknown; after?: Promise<unknown> }
  | "cut";

/** A request as the server received it. */
export interface Got {
  /** `POST /invoices`, with the query, below the base URL. */
  what: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

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

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function openBench() {
  const fixed = new Map<string, Answer>();
  const queued: { what: string; answer: Answer }[] = [];
  const unexpected: string[] = [];
  const got: Got[] = [];
  const logged: Logged[] = [];
  const secrets: string[] = [];
  let nowMs = Date.parse("2026-11-02T08:00:00.000Z");
  let today = TODAY;

  function answerFor(what: string): Answer {
    const index = queued.findIndex((entry) => entry.what === what);
    if (index !== -1) return queued.splice(index, 1)[0]!.answer;
    const answer = fixed.get(what);
    if (answer !== undefined) return answer;
    unexpected.push(what);
    return { status: 599 };
  }

  async function serve(what: string, response: ServerResponse): Promise<void> {
    const answer = answerFor(what);
    if (answer === "cut") {
      response.destroy();
      return;
    }
    const { status = 200, headers = {}, body = "" } = answer;
    await answer.after;
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    response.writeHead(status, { "content-type": isRaw ? "text/plain" : "application/json", ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const what = `${request.method} ${request.url?.replace(/^\/api/, "")}`;
      got.push({ what, headers: request.headers, body: Buffer.concat(chunks).toString() });
      void serve(what, response);
    });
  });
  const origin = await listen(server);
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
    adapter,
    origin,
    got,
    logged,
    secrets,
    call,
    /** The response to every request `what` without a queued response. */
    always: (what: string, answer: Answer) => void fixed.set(what, answer),
    /** Queues the response to the next request `what`. */
    next: (what: string, answer: Answer) => void queued.push({ what, answer }),
    requests: () => got.map(({ what }) => what),
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
    /** Fails if a response was not used or a request had none. */
    async close() {
      await exchange.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      expect({ unexpected, left: queued.map(({ what }) => what) }).toEqual({ unexpected: [], left: [] });
    },
  };
  bench.always("POST /login", LOGIN);
  bench.always("GET /billing_books", { body: BOOKS });
  return bench;
}

export type Bench = Awaited<ReturnType<typeof openBench>>;
