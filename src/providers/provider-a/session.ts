/**
 * The sessions of accounts: a token valid for 24 hours, kept in memory only, and renewed before it ends or once it is
 * refused (docs/provider-a.md#token-lifetime). Books and branches looked up for an account are kept with it.
 */
import type { CallOperation, Mode } from "../../../storage/stored-values.ts";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { Exchange, HttpRequest } from "../exchange.ts";
import { isUnauthorised, type LoginReading, readAnswer, readLogin, type Reply } from "./answers.ts";
import { buildLogin } from "./login.ts";

/** An hour before the token ends, so that no request with it arrives too late. */
const TOKEN_MS = 23 * 60 * 60 * 1000;
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

export interface ProviderRequest {
  method: HttpRequest["method"];
  /** Relative to the address of the API, with slash and query. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

export interface SessionOptions {
  testUrl: string;
  liveUrl: string;
  timeoutSeconds: number;
  exchange: Exchange;
}

export interface Sessions {
  /** The address of the API in `mode`, without a slash at the end. */
  baseUrl(mode: Mode): string;
  account(call: CallContext): Account;
  /**
   * One exchange as the account of `call`, recorded on `recorder`; logs in first if there is no token. If the token
   * is refused (401), which means that the request was not processed, it is repeated once with a new token and a log
   * entry of its own.
   */
  send(
    call: CallContext,
    operation: CallOperation,
    recorder: CallRecorder,
    request: ProviderRequest,
  ): Promise<Reply>;
  /** The same, with its own log entry. */
  ask(call: CallContext, operation: CallOperation, request: ProviderRequest): Promise<Reply>;
}

/** Joins work in progress under `name`, so that eight documents of one account log in once. */
export async function once<T>(account: Account, name: string, work: () => Promise<T>): Promise<T> {
  const running = account.underWay.get(name) as Promise<T> | undefined;
  if (running !== undefined) return running;
  const started = work().finally(() => account.underWay.delete(name));
  account.underWay.set(name, started);
  return started;
}

export function createSessions(options: SessionOptions): Sessions {
  const { exchange } = options;
  const timeoutMs = options.timeoutSeconds * 1000;
  const accounts = new Map<string, Account>();

  function baseUrl(mode: Mode): string {
    return (mode === "live" ? options.liveUrl : options.testUrl).replace(/\/+$/, "");
  }

  function account(call: CallContext): Account {
    const key = JSON.stringify([call.mode, buildLogin(call.credentials)]);
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const oldest = accounts.keys().next();
    if (accounts.size >= ACCOUNTS_MAX && !oldest.done) accounts.delete(oldest.value);
    const fresh: Account = {
      token: undefined,
      books: new Map(),
      branches: new Map(),
      underWay: new Map(),
    };
    accounts.set(key, fresh);
    return fresh;
  }

  async function logIn(call: CallContext, operation: CallOperation): Promise<LoginReading> {
    const recorder = await call.begin(operation, "auth");
    const answer = await exchange.send(
      recorder,
      {
        method: "POST",
        url: `${baseUrl(call.mode)}/login`,
        headers: { accept: "application/json", "content-type": "application/json" },
        // In the body, whatever the heading in the reference says: addresses are logged on the way.
        body: JSON.stringify(buildLogin(call.credentials)),
        timeoutMs,
      },
      call.signal,
    );
    return readLogin(answer, call.nowMs());
  }

  /** Tells `call` the token even if another call obtained it, so that it is removed from this log too. */
  async function tokenFor(call: CallContext, operation: CallOperation): Promise<LoginReading> {
    const mine = account(call);
    const ageMs = mine.token === undefined ? Number.NaN : call.nowMs() - mine.token.sinceMs;
    if (mine.token !== undefined && ageMs >= 0 && ageMs < TOKEN_MS) {
      call.secret(mine.token.value);
      return { kind: "token", token: mine.token.value };
    }
    const login = await once(mine, "login", async () => {
      const sinceMs = call.nowMs();
      const reading = await logIn(call, operation);
      mine.token = reading.kind === "token" ? { value: reading.token, sinceMs } : undefined;
      return reading;
    });
    if (login.kind === "token") call.secret(login.token);
    return login;
  }

  /** Only if it is still the refused one: another call may have logged in meanwhile. */
  function drop(call: CallContext, token: string): void {
    const mine = account(call);
    if (mine.token?.value === token) mine.token = undefined;
  }

  function sendWith(token: string, call: CallContext, recorder: CallRecorder, request: ProviderRequest) {
    const { method, path, body } = request;
    const hasBody = body !== undefined;
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${token}`,
      ...(hasBody ? { "content-type": "application/json" } : {}),
    };
    const text = hasBody ? JSON.stringify(body) : null;
    const url = `${baseUrl(call.mode)}${path}`;
    return exchange.send(recorder, { method, url, headers, body: text, timeoutMs }, call.signal);
  }

  async function send(
    call: CallContext,
    operation: CallOperation,
    recorder: CallRecorder | null,
    request: ProviderRequest,
  ): Promise<Reply> {
    const first = await tokenFor(call, operation);
    if (first.kind !== "token") return first;
    const firstRecorder = recorder ?? (await call.begin(operation, "operation"));
    const answer = await sendWith(first.token, call, firstRecorder, request);
    if (!isUnauthorised(answer)) return readAnswer(answer, call.nowMs());
    drop(call, first.token);
    const second = await tokenFor(call, operation);
    if (second.kind !== "token") return second;
    const secondRecorder = await call.begin(operation, "operation");
    const again = await sendWith(second.token, call, secondRecorder, request);
    if (isUnauthorised(again)) drop(call, second.token);
    return readAnswer(again, call.nowMs());
  }

  return {
    baseUrl,
    account,
    send,
    ask: (call, operation, request) => send(call, operation, null, request),
  };
}
