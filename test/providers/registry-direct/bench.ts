/** The adapter with a local server that sends scripted responses. Evidence is stored as the queue stores it. */
import type {
  CallContext,
  CallRecorder,
  OutgoingDocument,
  SentDocument,
} from "../../../src/domain/provider-adapter.ts";
import { createExchange } from "../../../src/providers/exchange.ts";
import { createRegistryDirect } from "../../../src/providers/registry-direct/adapter.ts";
import { readPortions } from "../../../src/providers/registry-direct/xml.ts";
import { type XmlElement } from "../../../src/providers/registry-direct/answers.ts";
import { type Answer, type Got, startScriptedServer } from "../../helpers/scripted-server.ts";

export const MARK = "400001234567891";
export const QR = "https://mydataapidev.aade.gr/TimologioQR/QRInfo?q=abc%3d";
const NOW = "2026-11-02T08:00:00.000Z";

/** An exchange as the log would show it. */
export interface Logged {
  url?: string;
  body?: string | null;
  status?: number;
  failed?: string;
}

export function buildSent(document: OutgoingDocument, sending: Partial<SentDocument> = {}): SentDocument {
  return { ...document, providerRef: null, mark: null, polls: 0, submittedAt: NOW, ...sending };
}

/** `<response>` elements in a ResponseDoc. */
export function responseDoc(...responses: string[]): string {
  const inner = responses.map((response) => `<response>${response}</response>`).join("");
  return `<?xml version="1.0" encoding="utf-8"?>\r\n<ResponseDoc xmlns:xsd="http://www.w3.org/2001/XMLSchema">${inner}</ResponseDoc>`;
}

export function success(index: number, uid: string | null, mark = MARK): string {
  const named = uid === null ? "" : `<invoiceUid>${uid}</invoiceUid>`;
  return `<index>${index}</index>${named}<invoiceMark>${mark}</invoiceMark><qrUrl>${QR}</qrUrl><statusCode>Success</statusCode>`;
}

export function refusal(index: number | null, statusCode: string, ...errors: [string, string][]): string {
  const inner = errors.map(
    ([code, message]) => `<error><message>${message}</message><code>${code}</code></error>`,
  );
  const place = index === null ? "" : `<index>${index}</index>`;
  return `${place}<statusCode>${statusCode}</statusCode><errors>${inner.join("")}</errors>`;
}

export const SYNTAX_ERROR = responseDoc(
  refusal(1, "XMLSyntaxError", ["101", "The element is not expected."]),
);

export interface ListedInvoice {
  document: OutgoingDocument;
  mark?: string | null;
  uid?: string | null;
  cancelledByMark?: string;
  /** The gross total, in euro. */
  gross?: string;
}

const euro = (cents: number) => (cents / 100).toString();

/** An `invoice` in a listing, with amounts as the authority writes them: `100` and `124.5`. */
export function listed({ document, mark = MARK, uid = document.uid, ...rest }: ListedInvoice): string {
  const { supplier, issue_date: issueDate, totals } = document.input;
  const element = (name: string, text: string | null | undefined) =>
    text === null || text === undefined ? "" : `<${name}>${text}</${name}>`;
  return [
    "<invoice>",
    element("uid", uid),
    element("mark", mark),
    element("cancelledByMark", rest.cancelledByMark),
    `<issuer><vatNumber>${supplier.tax_id.code}</vatNumber><country>GR</country><branch>${supplier.branch}</branch></issuer>`,
    `<invoiceHeader><series>${document.series}</series><aa>${document.number}</aa><issueDate>${issueDate}</issueDate>`,
    `<invoiceType>${document.sentType}</invoiceType><vatPaymentSuspension>false</vatPaymentSuspension></invoiceHeader>`,
    `<invoiceSummary><totalNetValue>${euro(totals.net)}</totalNetValue><totalVatAmount>${euro(totals.vat)}</totalVatAmount>`,
    `<totalGrossValue>${rest.gross ?? euro(totals.gross)}</totalGrossValue></invoiceSummary>`,
    element("qrCodeUrl", QR),
    "</invoice>",
  ].join("");
}

export function requestedDoc(invoices: readonly string[], more = ""): string {
  const list = invoices.length === 0 ? "" : `<invoicesDoc>${invoices.join("")}</invoicesDoc>`;
  return `<RequestedDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0">${more}${list}</RequestedDoc>`;
}

export function continuation(partitionKey: string, rowKey: string): string {
  return `<continuationToken><nextPartitionKey>${partitionKey.replaceAll("&", "&amp;")}</nextPartitionKey><nextRowKey>${rowKey}</nextRowKey></continuationToken>`;
}

export function cancellation(mark: string, cancellationMark: string): string {
  const inner = `<invoiceMark>${mark}</invoiceMark><cancellationMark>${cancellationMark}</cancellationMark>`;
  return `<cancelledInvoicesDoc><cancelledInvoice>${inner}</cancelledInvoice></cancelledInvoicesDoc>`;
}

/** The root element of `text`, with nothing in between. */
export function readXml(text: string): XmlElement | undefined {
  const reading = readPortions(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** The `invoice` elements of a sent message. */
export function invoicesIn({ body }: Got): readonly XmlElement[] {
  return readXml(body)!.children;
}

function createRecorder(origin: string) {
  const logged: Logged = {};
  const recorder: CallRecorder = {
    request({ url, body }) {
      logged.url = url.replace(origin, "");
      logged.body = body as string | null;
    },
    response: ({ status }) => void (logged.status = status),
    failed: (cause) => void (logged.failed = String(cause)),
  };
  return { logged, recorder };
}

/** A call with the evidence that the queue would store for each document. */
export function createCall(origin: string, options: { signal?: AbortSignal; mode?: "test" | "live" } = {}) {
  const shared = createRecorder(origin);
  const own: ReturnType<typeof createRecorder>[] = [];
  const further: { name: string; logged: Logged }[] = [];
  const context: CallContext = {
    mode: options.mode ?? "test",
    credentials: { user_id: "user-1", subscription_key: "key-1" },
    signal: options.signal ?? new AbortController().signal,
    nowMs: () => Date.parse(NOW),
    secret: () => {},
    evidence: shared.recorder,
    evidenceOf: (index, ...others) => {
      const kept = (own[index] ??= createRecorder(origin));
      for (const other of others) own[other] = kept;
      return kept.recorder;
    },
    known: () => undefined,
    filing: async () => undefined,
    async begin(operation, purpose) {
      const { logged, recorder } = createRecorder(origin);
      further.push({ name: `${operation} ${purpose}`, logged });
      return recorder;
    },
  };
  /** The shared exchange is stored with the first document; if that one had its own, the others' would be lost. */
  const shownTo = (index: number): Logged | "lost" =>
    own[index]?.logged ?? (own[0] === undefined ? shared.logged : "lost");
  return { context, further, shared: shared.logged, shownTo };
}

export async function openBench() {
  const server = await startScriptedServer((verb, path) => `${verb} ${/(\w+)(?:\?|$)/.exec(path)?.[1]}`);
  const { origin } = server;
  const exchange = createExchange();
  const options = { timeoutSeconds: 5, settleSeconds: 120, exchange };
  const adapter = createRegistryDirect({ ...options, testUrl: `${origin}/test/`, liveUrl: `${origin}/live` });

  return {
    ...server,
    adapter,
    /** Uses a closed port. */
    unreachable: createRegistryDirect({
      ...options,
      testUrl: "http://127.0.0.1:9",
      liveUrl: "http://127.0.0.1:9",
    }),
    call: (callOptions?: Parameters<typeof createCall>[1]) => createCall(origin, callOptions),
    /** The response to the next request of `method`. */
    next: (method: string, answer: Answer | string) =>
      server.next(
        `${method.startsWith("Request") ? "GET" : "POST"} ${method}`,
        typeof answer === "string" && answer !== "cut" ? { body: answer } : (answer as Answer),
      ),
    async close() {
      await exchange.close();
      await server.close();
    },
  };
}
