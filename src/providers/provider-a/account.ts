/** Remembers accounts at the provider in memory, each with its token and the books and branches looked up for it. */
import type { CallContext } from "../../domain/provider-adapter.ts";
import { buildLogin } from "./login.ts";

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
export function createAccounts(): (call: CallContext) => Account {
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
