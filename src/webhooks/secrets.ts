/** The secrets of an endpoint: made, sealed under its id, and told apart by whether they still sign (decisions 10). */
import { randomBytes } from "node:crypto";
import type { Cipher } from "../../storage/cipher.ts";
import { readJson } from "../foundation/json.ts";
import { SIGNATURES_MAX } from "./signature.ts";

const SECRET_BYTES = 32;

interface KeptSecret {
  secret: string;
  /** Until when it signs beside the newest; null for the newest itself. */
  until: string | null;
}

export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

function seal(cipher: Cipher, endpointId: string, secrets: readonly KeptSecret[]): Uint8Array {
  return cipher.seal(endpointId, JSON.stringify(secrets));
}

function open(cipher: Cipher, endpointId: string, sealed: Uint8Array): KeptSecret[] | undefined {
  const opened = cipher.open(endpointId, sealed);
  return opened === undefined ? undefined : readJson<KeptSecret[]>(opened.toString());
}

function signs({ until }: KeptSecret, nowMs: number): boolean {
  return until === null || Date.parse(until) > nowMs;
}

/** The first secret of a new endpoint, sealed. */
export function sealFirstSecret(cipher: Cipher, endpointId: string, secret: string): Uint8Array {
  return seal(cipher, endpointId, [{ secret, until: null }]);
}

/**
 * The same secrets with a new one before them. Those that signed go on for `overlapMs`, but none for longer than it had; those
 * that cannot be opened are gone.
 */
export function rotate(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  change: { secret: string; overlapMs: number; nowMs: number },
): Uint8Array {
  const until = new Date(change.nowMs + change.overlapMs).toISOString();
  const older = (open(cipher, endpointId, sealed) ?? [])
    .map((kept) => ({ ...kept, until: kept.until !== null && kept.until < until ? kept.until : until }))
    .filter((kept) => signs(kept, change.nowMs));
  const all = [{ secret: change.secret, until: null }, ...older];
  return seal(cipher, endpointId, all.slice(0, SIGNATURES_MAX));
}

/** The secrets that sign now, newest first; undefined when they cannot be opened. */
export function signingSecrets(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  nowMs: number,
): string[] | undefined {
  return open(cipher, endpointId, sealed)
    ?.filter((kept) => signs(kept, nowMs))
    .map(({ secret }) => secret);
}
