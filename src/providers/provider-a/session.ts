/**
 * Sends requests as an account: with its token, which is valid for 24 hours, kept in memory only (docs/provider-a.md#token-lifetime),
 * and renewed before it ends or once it is refused.
 */
import type { CallOperation } from "../../../storage/stored-values.ts";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import { isUnauthorised, type LoginReading, readAnswer, readLogin, type Reply } from "./answers.ts";
import { baseUrlOf, type ClientOptions, type HttpAnswer, type HttpRequest } from "../exchange.ts";

interface ClientRequest {
  method: HttpRequest["method"];
  /** Relative to the address of the API, with slash and query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** One call, whose requests are sent as its account. */
export interface Session {
  readonly call: CallContext;
  readonly account: Account;
  /** The address of the API in the call's mode, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * One exchange, recorded on `recorder`, or as a call of its own if that is null; logs in first if there is no token. If the token is
   * refused (401), which means that the request was not processed, it is repeated once with a new token and a log entry of its own.
   */
  send(operation: CallOperation, recorder: CallRecorder | null, request: ClientRequest): Promise<Reply>;
}

/** An hour before the token ends, so that no request with it arrives too late. */
const TOKEN_MS = 23 * 60 * 60 * 1000;

const JSON_TYPE = "application/json";

/** Returns a function that opens the session of a call. The accounts are shared by all of them. */
export function createSessions(options: ClientOptions): (call: CallContext) => Session {
  const accounts = new Map<string, Account>();
  return (call) => {
    const baseUrl = baseUrlOf(options, call.mode);
    const login = buildLogin(call.credentials);
    const account = accountOf(accounts, JSON.stringify([call.mode, login]));

    /** Never throws for anything the network or the provider does. */
    function exchange(
      recorder: CallRecorder,
      authorization: { authorization?: string },
      { method, path, body }: ClientRequest,
    ): Promise<HttpAnswer> {
      const hasBody = body !== undefined;
      const headers = {
        accept: JSON_TYPE,
        ...authorization,
        ...(hasBody ? { "content-type": JSON_TYPE } : {}),
      };
      const timeoutMs = options.timeoutSeconds * 1000;
      const text = hasBody ? writeBody(body) : null;
      const request = { method, url: `${baseUrl}${path}`, headers, body: text, timeoutMs };
      return options.exchange.send(recorder, request, call.signal);
    }

    /** The account's token, or one from a new login. */
    async function getToken(operation: CallOperation): Promise<LoginReading> {
      const known = account.token;
      const ageMs = known === undefined ? Number.NaN : call.nowMs() - known.sinceMs;
      if (known !== undefined && ageMs >= 0 && ageMs < TOKEN_MS) return { kind: "token", token: known.value };
      return once(account, "login", async () => {
        const sinceMs = call.nowMs();
        const recorder = await call.begin(operation, "auth");
        // In the body and not, as a heading of the reference says, in the address: addresses are logged on the way.
        const answer = await exchange(recorder, {}, { method: "POST", path: "/login", body: login });
        const reading = readLogin(answer, call.nowMs());
        account.token = reading.kind === "token" ? { value: reading.token, sinceMs } : undefined;
        return reading;
      });
    }

    async function send(
      operation: CallOperation,
      recorder: CallRecorder | null,
      request: ClientRequest,
    ): Promise<Reply> {
      for (let isRepeated = false; ; isRepeated = true) {
        const reading = await getToken(operation);
        if (reading.kind !== "token") return reading;
        const { token } = reading;
        // Even if another call logged in: it is removed from this call's log too.
        call.secret(token);
        const own = (isRepeated ? null : recorder) ?? (await call.begin(operation, "operation"));
        const answer = await exchange(own, { authorization: `Bearer ${token}` }, request);
        const isRefused = isUnauthorised(answer);
        // Unless another call has already replaced it.
        if (isRefused && account.token?.value === token) account.token = undefined;
        if (isRepeated || !isRefused) return readAnswer(answer, call.nowMs());
      }
    }

    return { call, account, baseUrl, send };
  };
}

export function writeBody(body: unknown): string {
  return JSON.stringify(body);
}

/** Throws if the credentials do not fit the form, which was checked before they were stored. */
function buildLogin(credentials: Readonly<Record<string, string>> | null): Record<string, string> {
  const { api_key: apiKey, email, provider_user_id: userId } = credentials ?? {};
  if (apiKey === undefined || (email === undefined) === (userId === undefined)) {
    throw new Error("The credentials of a connection to provider_a are not of its form");
  }
  return { api_key: apiKey, ...(email === undefined ? { wrapp_user_id: userId! } : { email }) };
}

/** Accounts to remember. Evicting one costs one extra login. */
const ACCOUNTS_MAX = 1000;

/** One account at the provider: the same credentials in the same mode. */
export interface Account {
  token: { value: string; sinceMs: number } | undefined;
  /** Ids of billing books, by purpose. */
  readonly books: Map<string, { id: string; isExact: boolean }>;
  /** Ids of branches, by number. */
  readonly branches: Map<number, string>;
  /** Work in progress for this account, by name (see `once`). */
  readonly underWay: Map<string, Promise<unknown>>;
}

/** Joins work in progress under `name`, so that eight documents of one account log in once. */
export async function once<T>(account: Account, name: string, work: () => Promise<T>): Promise<T> {
  const running = account.underWay.get(name) as Promise<T> | undefined;
  if (running !== undefined) return running;
  const started = work().finally(() => account.underWay.delete(name));
  account.underWay.set(name, started);
  return started;
}

/** The remembered account called `key`, or a new one. */
function accountOf(accounts: Map<string, Account>, key: string): Account {
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const oldest = accounts.keys().next();
  if (accounts.size >= ACCOUNTS_MAX && !oldest.done) accounts.delete(oldest.value);
  const fresh: Account = { token: undefined, books: new Map(), branches: new Map(), underWay: new Map() };
  accounts.set(key, fresh);
  return fresh;
}
