/** Sends single requests to the provider's API: a login, or a request with a token. */
import type { Mode } from "../../../storage/stored-values.ts";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { Exchange, HttpAnswer, HttpRequest } from "../exchange.ts";

export interface ClientOptions {
  /** The address of the API, such as `https://wrapp.ai/api/v1`. */
  testUrl: string;
  liveUrl: string;
  /** Per exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
}

export interface ClientRequest {
  method: HttpRequest["method"];
  /** Relative to the address of the API, with slash and query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** Never throws for anything the network or the provider does. */
export interface Client {
  /** The address of the API in `mode`, without a slash at the end. */
  baseUrl(mode: Mode): string;
  logIn(call: CallContext, recorder: CallRecorder): Promise<HttpAnswer>;
  send(call: CallContext, recorder: CallRecorder, token: string, request: ClientRequest): Promise<HttpAnswer>;
}

const JSON_TYPE = "application/json";

/** The body of a request, as it is sent. */
export function writeBody(body: unknown): string {
  return JSON.stringify(body);
}

export function createClient(options: ClientOptions): Client {
  const { exchange } = options;
  const timeoutMs = options.timeoutSeconds * 1000;

  function baseUrl(mode: Mode): string {
    return (mode === "live" ? options.liveUrl : options.testUrl).replace(/\/+$/, "");
  }

  return {
    baseUrl,

    logIn(call, recorder) {
      const url = `${baseUrl(call.mode)}/login`;
      const headers = { accept: JSON_TYPE, "content-type": JSON_TYPE };
      // In the body, whatever the heading in the reference says: addresses are logged on the way.
      const body = writeBody(buildLogin(call.credentials));
      return exchange.send(recorder, { method: "POST", url, headers, body, timeoutMs }, call.signal);
    },

    send(call, recorder, token, { method, path, body }) {
      const url = `${baseUrl(call.mode)}${path}`;
      const hasBody = body !== undefined;
      const headers = {
        accept: JSON_TYPE,
        authorization: `Bearer ${token}`,
        ...(hasBody ? { "content-type": JSON_TYPE } : {}),
      };
      const text = hasBody ? writeBody(body) : null;
      return exchange.send(recorder, { method, url, headers, body: text, timeoutMs }, call.signal);
    },
  };
}

/** Throws if the credentials do not fit the form, which was checked before they were stored. */
export function buildLogin(credentials: Readonly<Record<string, string>> | null): Record<string, string> {
  const { api_key: apiKey, email, provider_user_id: userId } = credentials ?? {};
  if (apiKey === undefined || (email === undefined) === (userId === undefined)) {
    throw new Error("The credentials of a connection to provider_a are not of its form");
  }
  return { api_key: apiKey, ...(email === undefined ? { wrapp_user_id: userId! } : { email }) };
}
