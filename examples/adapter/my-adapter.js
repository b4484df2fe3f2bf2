/**
 * A complete adapter for an imaginary provider (docs/adapters.md). The provider's API is JSON over HTTP, with amounts in cents and the
 * header `authorization: Token …`:
 *
 *   POST /invoices                    201 {invoice}, 202 {invoice} with `mark: null` for now, 422 {code, message}
 *   GET  /invoices?reference=doc_…    200 {invoices: [invoice]}, empty if there is none with this reference
 *   POST /invoices/ID/cancellation    200 {invoice}, 422 {code, message}
 *   GET  /account                     200 {name}
 *
 * An invoice is {id, reference, mark, uid, qr_url, cancellation_mark}. 401 refuses the token. 429 is returned before anything is read.
 *
 * @import { AdapterHost, CallContext, CallRecorder, CreateAdapter, CredentialsRefusedOutcome, ErrorCode,
 *   ErrorObject, HttpAnswer, NotSentOutcome, OutgoingDocument, ProviderAdapter, RejectedOutcome, SentDocument,
 *   UnknownOutcome } from "fiscal/adapter"
 */

/** @typedef {{ testUrl: string, liveUrl: string }} Addresses */
/** @typedef {{ id: string, mark: string | null, uid: string | null, qrUrl: string | null, cancellationMark: string | null }} Invoice */
/** @typedef {NotSentOutcome | UnknownOutcome | RejectedOutcome | CredentialsRefusedOutcome} Failure */

const TIMEOUT_MS = 30_000;

/**
 * The module's export. An adapter reads its own settings, here from the environment.
 * @type {CreateAdapter}
 */
export default function createAdapter(host) {
  return createImaginary(host, {
    testUrl: process.env["IMAGINARY_TEST_URL"] ?? "https://test.provider.example/v1",
    liveUrl: process.env["IMAGINARY_LIVE_URL"] ?? "https://provider.example/v1",
  });
}

/**
 * @param {AdapterHost} host
 * @param {Addresses} addresses
 * @returns {ProviderAdapter}
 */
export function createImaginary({ provider, exchange }, addresses) {
  /**
   * Makes one request and interprets the answer.
   * @param {CallContext} call
   * @param {CallRecorder} recorder
   * @param {"GET" | "POST"} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async function ask(call, recorder, method, path, body) {
    const request = {
      method,
      url: `${call.mode === "live" ? addresses.liveUrl : addresses.testUrl}${path}`,
      headers: {
        accept: "application/json",
        authorization: `Token ${call.credentials?.["token"] ?? ""}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
    };
    return interpret(await exchange.send(recorder, request, call.signal));
  }

  /**
   * Finds the provider's invoice with our id as its reference; undefined if there is none.
   * @param {SentDocument} document
   * @param {CallContext} call
   * @returns {Promise<Failure | { kind: "found", invoice: Invoice | undefined }>}
   */
  async function find(document, call) {
    const reply = await ask(call, call.evidence, "GET", `/invoices?reference=${document.id}`);
    if (reply.kind !== "read") return reply;
    const { invoices } = reply.body;
    if (!Array.isArray(invoices)) return unknown("The provider's response is not a list of invoices");
    if (invoices.length === 0) return { kind: "found", invoice: undefined };
    const invoice = readInvoice(invoices[0]);
    return invoice === undefined
      ? unknown("The provider's invoice cannot be read")
      : { kind: "found", invoice };
  }

  return {
    provider,
    numbering: "ours",
    issueBatchMax: 1,
    canCancel: true,
    credentials: {
      fields: [
        {
          name: "token",
          label: "API token",
          secret: true,
          required: true,
          lengthMax: 100,
          unpadded: true,
          ascii: true,
          help: "In the provider's settings, under API.",
        },
      ],
    },
    settle: { askings: 3, seconds: 60 },
    buildPayload,

    async issue(documents, call) {
      const [document] = documents;
      if (document === undefined) return [];
      const payload = buildPayload(document);
      await call.filing([{ index: 0, text: JSON.stringify(payload) }]);
      const reply = await ask(call, call.evidence, "POST", "/invoices", payload);
      if (reply.kind !== "read") return [reply];
      const invoice = readInvoice(reply.body);
      // After a 2xx the provider has the document; reconcile finds its id.
      return [invoice === undefined ? unknown("The provider's invoice cannot be read") : registered(invoice)];
    },

    async status(documents, call) {
      const [document] = documents;
      if (document === undefined) return [];
      const found = await find(document, call);
      if (found.kind !== "found") return [withoutRefusal(found)];
      if (found.invoice === undefined)
        return [unknown("The provider does not list an invoice that it accepted")];
      return [registered(found.invoice)];
    },

    async reconcile(documents, call) {
      const [document] = documents;
      if (document === undefined) return [];
      const found = await find(document, call);
      if (found.kind !== "found") return [withoutRefusal(found)];
      return [found.invoice === undefined ? { kind: "absent" } : registered(found.invoice)];
    },

    async cancel(document, call) {
      const path = `/invoices/${encodeURIComponent(document.providerRef ?? document.id)}/cancellation`;
      const reply = await ask(call, call.evidence, "POST", path);
      if (reply.kind !== "read") return reply;
      return cancelled(readInvoice(reply.body)) ?? unknown("The provider's cancellation cannot be read");
    },

    async findCancellation(document, call) {
      const found = await find(document, call);
      if (found.kind !== "found") return withoutRefusal(found);
      return cancelled(found.invoice) ?? { kind: "not_cancelled" };
    },

    fetchPdf: async () => ({ kind: "none" }),

    async verify(call) {
      const reply = await ask(call, call.evidence, "GET", "/account");
      if (reply.kind === "read") return { kind: "accepted" };
      const kind = reply.kind === "credentials_refused" ? "refused" : "unavailable";
      return { kind, error: reply.error };
    },
  };
}

/**
 * Builds the provider's format. Pure: preview shows it, `issue` sends it.
 * @param {OutgoingDocument} document
 * @returns {Record<string, unknown>}
 */
function buildPayload({ id, input, sentType, classifications, payments, series, number }) {
  return {
    reference: id,
    type: sentType,
    series,
    number,
    date: input.issue_date,
    seller: { vat: input.supplier.tax_id.code, branch: input.supplier.branch },
    buyer:
      input.customer === undefined ? null : { ...input.customer.tax_id, name: input.customer.name ?? null },
    lines: input.lines.map((line, index) => ({
      text: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unit_price: line.unit_price,
      vat: line.vat_category,
      vat_exemption: line.vat_exemption ?? null,
      income: classifications[index],
    })),
    payments,
    totals: input.totals,
  };
}

/**
 * Decides whether the request may have arrived. Only what certainly registered nothing is `not_sent`.
 * @param {HttpAnswer} answer
 * @returns {Failure | { kind: "read", body: Record<string, unknown> }}
 */
function interpret(answer) {
  if (answer.kind === "not_sent") return { kind: "not_sent", error: answer.error };
  if (answer.kind === "unanswered") return { kind: "unknown", error: answer.error };
  const { status, headers } = answer;
  const body = parse(answer.body);
  if (status === 401 || status === 403) {
    const error = errorOf("provider_credentials_invalid", "The provider refuses the token; replace it", body);
    return { kind: "credentials_refused", error };
  }
  if (status === 429) {
    const seconds = Number(headers["retry-after"]);
    const error = errorOf("provider_unavailable", "The provider accepts no more requests for now", body);
    return { kind: "not_sent", error, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
  }
  if (body === undefined) return unknown("The provider's response cannot be read");
  if (status === 422 && typeof body["code"] === "string") {
    const error = errorOf("provider_rejected", "The provider refused the document; see its message", body);
    return { kind: "rejected", error };
  }
  if (status < 200 || status > 299) return unknown(`The provider responded with HTTP ${status}`);
  return { kind: "read", body };
}

/**
 * A refused query says nothing about the document, so it counts as unknown.
 * @param {Failure} failure
 * @returns {NotSentOutcome | UnknownOutcome | CredentialsRefusedOutcome}
 */
function withoutRefusal(failure) {
  return failure.kind === "rejected" ? { kind: "unknown", error: failure.error } : failure;
}

/** @param {Invoice} invoice */
function registered({ id, mark, uid, qrUrl }) {
  return mark === null
    ? /** @type {const} */ ({ kind: "accepted", providerRef: id, uid, qrUrl })
    : /** @type {const} */ ({ kind: "issued", mark, uid, qrUrl });
}

/**
 * @param {Invoice | undefined} invoice
 * @returns {{ kind: "cancelled", cancellationMark: string } | undefined}
 */
function cancelled(invoice) {
  const cancellationMark = invoice?.cancellationMark ?? null;
  return cancellationMark === null ? undefined : { kind: "cancelled", cancellationMark };
}

/**
 * Validates a response; undefined if it is not an invoice.
 * @param {unknown} value
 * @returns {Invoice | undefined}
 */
function readInvoice(value) {
  if (!isObject(value) || typeof value["id"] !== "string") return undefined;
  const { id, mark, uid, qr_url: qrUrl, cancellation_mark: cancellationMark } = value;
  return {
    id,
    mark: markOf(mark),
    uid: typeof uid === "string" && /^[0-9A-F]{40}$/.test(uid) ? uid : null,
    qrUrl: typeof qrUrl === "string" && /^https?:\/\//.test(qrUrl) ? qrUrl : null,
    cancellationMark: markOf(cancellationMark),
  };
}

/** @param {unknown} value */
function markOf(value) {
  return typeof value === "string" && /^[1-9][0-9]{0,18}$/.test(value) ? value : null;
}

/** @param {string} text */
function parse(text) {
  try {
    const value = /** @type {unknown} */ (JSON.parse(text));
    return isObject(value) ? value : undefined;
  } catch {
    // Not JSON. Undefined means an unreadable response.
    return undefined;
  }
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {string} message
 * @returns {UnknownOutcome}
 */
function unknown(message) {
  return { kind: "unknown", error: errorOf("provider_unavailable", message, undefined) };
}

/**
 * Builds the API's error object: the message is ours, the provider's code and message are passed on verbatim.
 * @param {ErrorCode} code
 * @param {string} message
 * @param {Record<string, unknown> | undefined} body
 * @returns {ErrorObject}
 */
function errorOf(code, message, body) {
  const { code: providerCode, message: providerMessage } = body ?? {};
  return {
    code,
    message,
    provider_code: typeof providerCode === "string" ? providerCode : null,
    provider_message: typeof providerMessage === "string" ? providerMessage : null,
    retryable: code === "provider_unavailable",
  };
}
