/** Fetches the provider's PDF: requested, generated in the background, then downloaded from an address that expires. */
import { isObject } from "../../foundation/json.ts";
import { type ClientOptions, unknown } from "../exchange.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { PdfOutcome, SentDocument } from "../../domain/provider-adapter.ts";
import { readAnswer } from "./answers.ts";
import { invoicePath, readState } from "./invoices.ts";
import { readRefusal, textOf } from "./refusals.ts";
import type { Session } from "./session.ts";

/** Not too short, because each request may restart the generation. */
const PAUSE_MS = 5_000;

export async function fetchPdf(
  session: Session,
  document: SentDocument,
  options: ClientOptions,
): Promise<PdfOutcome> {
  const id = await providerIdOf(session, document);
  if (id.kind !== "id") return id;
  const request = { method: "GET", path: `${invoicePath(id.id)}/generate_pdf?locale=el` } as const;
  const reply = await session.send("fetchPdf", session.call.evidence, request);
  if (reply.kind !== "read") return reply;
  // Refused in readable words: the provider has no PDF, and ours is used instead.
  if (readRefusal(reply.body) !== undefined || reply.status === 404) return { kind: "none" };
  const url = isObject(reply.body) ? textOf(reply.body["download_url"]) : undefined;
  if (url !== undefined) return download(session, url, options);
  const isStarted = isObject(reply.body) && textOf(reply.body["status"]) !== undefined && reply.status < 300;
  if (isStarted) return { kind: "not_ready", retryAfterMs: PAUSE_MS };
  return NOT_FETCHED;
}

/** PDFs need the provider's id. A document issued at once was never asked about, so its id is looked up. */
async function providerIdOf(
  session: Session,
  document: SentDocument,
): Promise<{ kind: "id"; id: string } | PdfOutcome> {
  if (document.providerRef !== null) return { kind: "id", id: document.providerRef };
  const reply = await session.send("fetchPdf", null, { method: "GET", path: invoicePath(document.id) });
  if (reply.kind !== "read") return reply;
  const state = readState(reply, { document, providerRef: null });
  if (state.kind === "absent" || state.kind === "rejected") return { kind: "none" };
  if (state.kind === "unknown") return state;
  if (state.kind === "accepted") return { kind: "not_ready", retryAfterMs: PAUSE_MS };
  const id = isObject(reply.body) ? textOf(reply.body["id"]) : undefined;
  return id === undefined ? { kind: "none" } : { kind: "id", id };
}

/**
 * Whether to download a PDF from `url`: over TLS, or, in a test environment without it, from the server of the API
 * itself. The address alone gives access, so it must not be readable in transit.
 */
export function isDownloadable(url: string, baseUrl: string, mode: Mode): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  const isOwnServer = protocol === "http:" && origin === new URL(baseUrl).origin;
  return protocol === "https:" || (mode === "test" && isOwnServer);
}

const NOT_FETCHED = unknown({
  en: "The provider did not give its PDF of the document, or not at a safe address",
  el: "Ο πάροχος δεν έδωσε το PDF του παραστατικού, ή όχι σε ασφαλή διεύθυνση",
});

/** A PDF with logo and fonts has some hundred KB. */
const PDF_BYTES_MAX = 10 * 1024 * 1024;
const PDF_BEGINNING = Buffer.from("%PDF-");

async function download(
  session: Session,
  url: string,
  { exchange, timeoutSeconds }: ClientOptions,
): Promise<PdfOutcome> {
  const { call, baseUrl } = session;
  if (!isDownloadable(url, baseUrl, call.mode)) return NOT_FETCHED;
  // The query is what gives access.
  const { search } = new URL(url);
  if (search.length > 1) call.secret(search.slice(1));
  const recorder = await call.begin("fetchPdf", "operation");
  const timeoutMs = timeoutSeconds * 1000;
  // No credentials are sent: the file is on another party's server, whose address the provider chose.
  const request = {
    method: "GET",
    url,
    headers: { accept: "application/pdf" },
    body: null,
    timeoutMs,
    answerBytesMax: PDF_BYTES_MAX,
    guardedFor: call.mode,
  } as const;
  const answer = await exchange.send(recorder, request, call.signal);
  if (answer.kind === "answered" && answer.status === 200) {
    const isPdf = PDF_BEGINNING.equals(answer.bytes.subarray(0, PDF_BEGINNING.length));
    return isPdf ? { kind: "pdf", bytes: answer.bytes } : NOT_FETCHED;
  }
  // The address has expired, or the file is not there yet: the next request returns a new address.
  if (answer.kind === "answered" && answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
    return { kind: "not_ready", retryAfterMs: PAUSE_MS };
  }
  const reply = readAnswer(answer, call.nowMs());
  return reply.kind === "not_sent" || reply.kind === "unknown" ? reply : NOT_FETCHED;
}
