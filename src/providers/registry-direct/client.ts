/** Sends requests to the authority's REST API, classifies the replies, and assigns each exchange to the documents it carried. */
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { Exchange } from "../exchange.ts";
import { classifyResponse, type Reply } from "./status.ts";

export interface ClientOptions {
  /** The address without the method name: `https://mydatapi.aade.gr/myDATA` (docs/contract.md#provider-addresses). */
  testUrl: string;
  liveUrl: string;
  /** Per exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
}

/** The methods that only read. */
export type ListMethod = "RequestTransmittedDocs" | "RequestDocs" | "RequestVatInfo";

export interface ClientRequest {
  method: "SendInvoices" | "CancelInvoice" | ListMethod;
  query?: Readonly<Record<string, string>>;
  /** XML; null if the method takes none. */
  body?: string | null;
}

export interface Client {
  /** Never throws for anything the network or the authority does. */
  send(call: CallContext, recorder: CallRecorder, request: ClientRequest): Promise<Reply>;
}

/** A page with five thousand documents is about 10 MB; without it, a document that was lost could not be looked up. */
const LISTING_BYTES_MAX = 16 * 1024 * 1024;

/** Both environments use the same headers, with different keys (docs/authority.md#headers). */
function headersOf(call: CallContext): Record<string, string> {
  const { user_id: userId, subscription_key: key } = call.credentials ?? {};
  if (userId === undefined || key === undefined) {
    throw new Error("The credentials of a connection to registry_direct are not of its form");
  }
  return { "aade-user-id": userId, "ocp-apim-subscription-key": key };
}

export function createClient(options: ClientOptions): Client {
  const timeoutMs = options.timeoutSeconds * 1000;
  return {
    async send(call, recorder, { method, query = {}, body = null }) {
      const base = (call.mode === "live" ? options.liveUrl : options.testUrl).replace(/\/+$/, "");
      const parameters = new URLSearchParams(query).toString();
      const url = `${base}/${method}${parameters === "" ? "" : `?${parameters}`}`;
      // No Accept header: with one the authority wraps its responses in a text element
      // (docs/authority.md#string-wrapper).
      const headers = {
        ...headersOf(call),
        ...(body === null ? {} : { "content-type": "application/xml" }),
      };
      const isList = method.startsWith("Request");
      const long = isList ? { answerBytesMax: LISTING_BYTES_MAX } : {};
      const request = { method: isList ? "GET" : "POST", url, headers, body, timeoutMs, ...long } as const;
      return classifyResponse(await options.exchange.send(recorder, request, call.signal), call.nowMs());
    },
  };
}

/** Records an exchange that is assigned to documents once the response is known. */
export interface Tape extends CallRecorder {
  playTo(recorder: CallRecorder): void;
}

export function createTape(): Tape {
  const steps: ((recorder: CallRecorder) => void)[] = [];
  return {
    request: (sent) => void steps.push((recorder) => recorder.request(sent)),
    response: (received) => void steps.push((recorder) => recorder.response(received)),
    failed: (cause) => void steps.push((recorder) => recorder.failed(cause)),
    playTo(recorder) {
      for (const step of steps) step(recorder);
    },
  };
}

/** Records the exchange on `tape` for the documents at `places`, which it carried together. */
export function recordExchange(call: CallContext, places: readonly number[], tape: Tape): void {
  const [first, ...others] = places;
  if (first === undefined) return;
  tape.playTo(places.includes(0) ? call.evidence : call.evidenceOf(first, ...others));
}

/** Records that the document at `place` was in no exchange, so that it does not share the others' evidence. */
export function recordNoExchange(call: CallContext, place: number): void {
  call.evidenceOf(place);
}
