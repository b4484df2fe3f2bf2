/**
 * Signs in to the console with a one-time link from the command line, or with an API key. Both open a session in one
 * mode, which ends after half a day, on sign-out, or when its API key ends.
 */
import { hash, randomBytes } from "node:crypto";
import { placeOf } from "../../storage/encryption/cipher.ts";
import {
  deleteConsoleSession,
  endConsoleSessions,
  findConsoleLink,
  findConsoleSessionState,
  hasConsoleSessions,
  SESSION_KEPT_MS,
  useConsoleLink,
} from "../../storage/access/keys-and-sessions.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { hasPassed } from "../foundation/clock.ts";
import type { Context } from "../journal/context.ts";
import { authenticateKey } from "../keys/api-keys.ts";

/** Long enough to open it in a browser, short enough if it leaks. */
const LINK_LIFETIME_MS = 10 * 60 * 1000;
/** A working day. */
const SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;
/** How long a browser keeps the cookie. */
export const SESSION_COOKIE_MS = SESSION_LIFETIME_MS + SESSION_KEPT_MS;
const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[0-9A-Za-z_-]{43}$/;

/** The output of `fiscal console`. `url` is shown only once. */
export interface ConsoleLink {
  object: "console_link";
  mode: Mode;
  read_only: boolean;
  url: string;
  expires_at: string;
}

export interface ConsoleSession {
  mode: Mode;
  /** It shows everything and changes nothing. */
  isReadOnly: boolean;
  /** Null if a link opened it. */
  keyId: string | null;
}

/** What an unused link signs in to; otherwise whether nobody knows it, or it was used or has expired. */
type LinkState = Pick<ConsoleSession, "mode" | "isReadOnly"> | ClosedLink;
export type ClosedLink = "unknown" | "over";

function hashOf(token: string): string {
  return hash("sha256", token, "hex");
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export interface LinkOptions {
  /** Without a trailing slash; by default the configured address. */
  baseUrl?: string | undefined;
  /** The session that it opens shows everything and changes nothing. */
  isReadOnly?: boolean | undefined;
}

/** Creates a link into the console, for one use. */
export async function createConsoleLink(
  context: Context,
  mode: Mode,
  { baseUrl = context.publicUrl(), isReadOnly = false }: LinkOptions = {},
): Promise<ConsoleLink> {
  const token = newToken();
  const expiresAt = await context.store.write(async (trx) => {
    // By the clock, not by `trx.now`, which may be ahead of it: sign-in checks against the clock.
    const until = new Date(trx.clockMs + LINK_LIFETIME_MS).toISOString();
    const link = {
      token_hash: hashOf(token),
      mode,
      read_only: isReadOnly ? 1 : 0,
      expires_at: until,
      created_at: trx.now,
    } as const;
    await trx.insertRows({ console_links: [link] });
    return until;
  });
  const url = `${baseUrl}/console/sign-in/${token}`;
  return { object: "console_link", mode, read_only: isReadOnly, url, expires_at: expiresAt };
}

async function stateOf(session: Session, token: string, nowMs: number): Promise<LinkState> {
  const row = TOKEN_FORM.test(token)
    ? await findConsoleLink(session, { token_hash: hashOf(token) })
    : undefined;
  if (row === undefined) return "unknown";
  if (row.used_at !== null || hasPassed(row.expires_at, nowMs)) return "over";
  return { mode: row.mode, isReadOnly: row.read_only === 1 };
}

/** The state of a link, without using it up. */
export function findConsoleLinkState(context: Context, token: string): Promise<LinkState> {
  return stateOf(context.store.read, token, context.clock.nowMs());
}

/** Returns the token for the session's cookie. */
async function openSession(trx: Transaction, { mode, keyId, isReadOnly }: ConsoleSession): Promise<string> {
  const token = newToken();
  const row = {
    token_hash: hashOf(token),
    mode,
    read_only: isReadOnly ? 1 : 0,
    key_id: keyId,
    expires_at: new Date(trx.clockMs + SESSION_LIFETIME_MS).toISOString(),
    created_at: trx.now,
  } as const;
  await trx.insertRows({ console_sessions: [row] });
  return token;
}

/** Uses up the link and returns the token of a new session, or why the link cannot be used. */
export async function signInWithLink(
  context: Context,
  link: string,
): Promise<{ token: string } | ClosedLink> {
  return context.store.write(async (trx) => {
    const state = await stateOf(trx, link, trx.clockMs);
    if (typeof state === "string") return state;
    if (!(await useConsoleLink(trx, { hash: hashOf(link), at: trx.now }))) return "over";
    return { token: await openSession(trx, { ...state, keyId: null }) };
  });
}

/** Signs in with an API key, and returns the token of the session; undefined if the key is not valid. */
export async function signInWithKey(context: Context, key: string): Promise<string | undefined> {
  const known = await authenticateKey(context, key);
  if (known === undefined) return undefined;
  return context.store.write((trx) => openSession(trx, { ...known, isReadOnly: false }));
}

/** The session of a cookie; `over` if it has ended; undefined if there was none, or nobody knows it any more. */
export async function findConsoleSession(
  context: Context,
  token: string,
): Promise<ConsoleSession | "over" | undefined> {
  if (!TOKEN_FORM.test(token)) return undefined;
  const state = await findConsoleSessionState(context.store.read, { hash: hashOf(token) });
  if (state === undefined) return undefined;
  const nowMs = context.clock.nowMs();
  const isOver = (instant: string | null) => instant !== null && hasPassed(instant, nowMs);
  if (isOver(state.expires_at) || isOver(state.key_expires_at) || state.key_revoked_at !== null)
    return "over";
  return { mode: state.mode, isReadOnly: state.read_only === 1, keyId: state.key_id };
}

function placeFor(token: string) {
  return placeOf("console_sessions", "shown", [hashOf(token)]);
}

/**
 * A secret for the browser to bring back at once: only this session opens it. Sealed outside a write, so after a rotation perhaps with the
 * former key, which running processes keep.
 */
export function sealForSession({ store }: Context, token: string, secret: string): string {
  return Buffer.from(store.cipher.seal(placeFor(token), secret)).toString("base64url");
}

/** Undefined for what was not sealed for the session. */
export function openForSession({ store }: Context, token: string, sealed: string): string | undefined {
  return store.cipher.open(placeFor(token), Buffer.from(sealed, "base64url"))?.toString();
}

/** Whether someone has signed in, as far as sessions are still kept. */
export function hasConsoleVisitors(context: Context): Promise<boolean> {
  return hasConsoleSessions(context.store.read);
}

export async function endConsoleSession(context: Context, token: string): Promise<void> {
  await context.store.write((trx) => deleteConsoleSession(trx, { token_hash: hashOf(token) }));
}

/** Ends all sessions in both modes and all unused links; returns the number of sessions. */
export async function endAllConsoleSessions(context: Context): Promise<number> {
  return context.store.write((trx) => endConsoleSessions(trx, new Date(trx.clockMs).toISOString()));
}
