/**
 * Sends requests as an account: with its token, which is valid for 24 hours, kept in memory only (docs/provider-a.md#token-lifetime),
 * and renewed before it ends or once it is refused.
 */
import type { CallOperation, Mode } from "../../../storage/stored-values.ts";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import { isUnauthorised, type LoginReading, readAnswer, readLogin, type Reply } from "./answers.ts";
import type { Exchange, HttpAnswer, HttpRequest } from "../exchange.ts";

export interface ClientOptions {
  /** The address of the API, such as `https://wrapp.ai/api/v1`. */
  testUrl: string;
  liveUrl: string;
  /** Per exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
}

interface ClientRequest {
  method: HttpRequest["method"];
  /** Relative to the address of the API, with slash and query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** Never throws for anything the network or the provider does. */
interface Client {
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

function createClient(options: ClientOptions): Client {
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
function buildLogin(credentials: Readonly<Record<string, string>> | null): Record<string, string> {
  const { api_key: apiKey, email, provider_user_id: userId } = credentials ?? {};
  if (apiKey === undefined || (email === undefined) === (userId === undefined)) {
    throw new Error("The credentials of a connection to provider_a are not of its form");
  }
  return { api_key: apiKey, ...(email === undefined ? { wrapp_user_id: userId! } : { email }) };
}

/** One call, whose requests are sent as its account. */
export interface Session {
  readonly call: CallContext;
  readonly account: Account;
  /** The address of the API in the call's mode, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * One exchange, recorded on `recorder`; logs in first if there is no token. If the token is refused (401), which means that the
   * request was not processed, it is repeated once with a new token and a log entry of its own.
   */
  send(operation: CallOperation, recorder: CallRecorder, request: ClientRequest): Promise<Reply>;
  /** The same, with its own log entry. */
  ask(operation: CallOperation, request: ClientRequest): Promise<Reply>;
}

/** Returns a function that opens the session of a call. The accounts are shared by all of them. */
export function createSessions(options: ClientOptions): (call: CallContext) => Session {
  const client = createClient(options);
  const accountOf = createAccounts();
  return (call) => {
    const account = accountOf(call);

    async function send(
      operation: CallOperation,
      recorder: CallRecorder | null,
      request: ClientRequest,
    ): Promise<Reply> {
      const first = await getToken(client, account, call, operation);
      if (first.kind !== "token") return first;
      const firstRecorder = recorder ?? (await call.begin(operation, "operation"));
      const answer = await client.send(call, firstRecorder, first.token, request);
      if (!isUnauthorised(answer)) return readAnswer(answer, call.nowMs());
      dropToken(account, first.token);
      const second = await getToken(client, account, call, operation);
      if (second.kind !== "token") return second;
      const secondRecorder = await call.begin(operation, "operation");
      const again = await client.send(call, secondRecorder, second.token, request);
      if (isUnauthorised(again)) dropToken(account, second.token);
      return readAnswer(again, call.nowMs());
    }

    const ask: Session["ask"] = (operation, request) => send(operation, null, request);
    return { call, account, baseUrl: client.baseUrl(call.mode), send, ask };
  };
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

/** Returns a function that finds the account of a call, or remembers a new one. */
function createAccounts(): (call: CallContext) => Account {
  const accounts = new Map<string, Account>();
  return (call) => {
    const key = JSON.stringify([call.mode, buildLogin(call.credentials)]);
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const oldest = accounts.keys().next();
    if (accounts.size >= ACCOUNTS_MAX && !oldest.done) accounts.delete(oldest.value);
    const fresh: Account = { token: undefined, books: new Map(), branches: new Map(), underWay: new Map() };
    accounts.set(key, fresh);
    return fresh;
  };
}

/** An hour before the token ends, so that no request with it arrives too late. */
const TOKEN_MS = 23 * 60 * 60 * 1000;

/**
 * The account's token, or one from a new login. Marks it as a secret of `call` even if another call logged in, so that
 * it is removed from this call's log too.
 */
async function getToken(
  client: Client,
  account: Account,
  call: CallContext,
  operation: CallOperation,
): Promise<LoginReading> {
  const known = account.token;
  const ageMs = known === undefined ? Number.NaN : call.nowMs() - known.sinceMs;
  if (known !== undefined && ageMs >= 0 && ageMs < TOKEN_MS) {
    call.secret(known.value);
    return { kind: "token", token: known.value };
  }
  const login = await once(account, "login", async () => {
    const sinceMs = call.nowMs();
    const reading = await logIn(client, call, operation);
    account.token = reading.kind === "token" ? { value: reading.token, sinceMs } : undefined;
    return reading;
  });
  if (login.kind === "token") call.secret(login.token);
  return login;
}

async function logIn(client: Client, call: CallContext, operation: CallOperation): Promise<LoginReading> {
  const recorder = await call.begin(operation, "auth");
  const answer = await client.logIn(call, recorder);
  return readLogin(answer, call.nowMs());
}

/** Removes the refused `token`, unless another call has already replaced it. */
function dropToken(account: Account, token: string): void {
  if (account.token?.value === token) account.token = undefined;
}
