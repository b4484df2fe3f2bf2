/** Requests to the authority's REST API: addresses, headers, and an answer that says what may have arrived. */
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { Exchange } from "../exchange.ts";
import { judgeAnswer, type Reply } from "./status.ts";

export interface ClientOptions {
  /** The address up to the method's name, such as `https://mydatapi.aade.gr/myDATA` (decisions 16). */
  testUrl: string;
  liveUrl: string;
  /** For each exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
}

export interface ClientRequest {
  method: "SendInvoices" | "CancelInvoice" | "RequestTransmittedDocs";
  query?: Readonly<Record<string, string>>;
  /** XML; null where the method takes none. */
  body?: string | null;
}

export interface Client {
  /** Never throws for what a network or the authority can do. */
  send(call: CallContext, recorder: CallRecorder, request: ClientRequest): Promise<Reply>;
}

/** Both environments take the same headers, with a key of their own (mydata facts, part 1.2). */
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
      // No Accept: with one the authority wraps its answers into a text element (mydata facts, part 1.5).
      const headers = {
        ...headersOf(call),
        ...(body === null ? {} : { "content-type": "application/xml" }),
      };
      const verb = method === "RequestTransmittedDocs" ? "GET" : "POST";
      const request = { method: verb, url, headers, body, timeoutMs } as const;
      return judgeAnswer(await options.exchange.send(recorder, request, call.signal), call.nowMs());
    },
  };
}
