/** Creates, encrypts and rotates the secrets of an endpoint (docs/contract.md#webhook-secrets). */
import { randomBytes } from "node:crypto";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import { readJson } from "../foundation/json.ts";
import { SIGNATURES_MAX } from "./signature.ts";

const SECRET_BYTES = 32;

interface StoredSecret {
  secret: string;
  /** Until when it signs alongside the newest; null for the newest itself. */
  until: string | null;
}

export function makeSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

function seal(cipher: Cipher, endpointId: string, secrets: readonly StoredSecret[]): Uint8Array {
  return cipher.seal(endpointId, JSON.stringify(secrets));
}

function open(cipher: Cipher, endpointId: string, sealed: Uint8Array): StoredSecret[] | undefined {
  const opened = cipher.open(endpointId, sealed);
  return opened === undefined ? undefined : readJson<StoredSecret[]>(opened.toString());
}

function isActive({ until }: StoredSecret, nowMs: number): boolean {
  return until === null || Date.parse(until) > nowMs;
}

/** The first secret of a new endpoint, encrypted. */
export function sealFirstSecret(cipher: Cipher, endpointId: string, secret: string): Uint8Array {
  return seal(cipher, endpointId, [{ secret, until: null }]);
}

/**
 * Adds a new secret in front. The older ones keep signing for `overlapMs`, but never longer than before; secrets that cannot be
 * decrypted are dropped.
 */
export function rotate(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  change: { secret: string; overlapMs: number; nowMs: number },
): Uint8Array {
  const until = new Date(change.nowMs + change.overlapMs).toISOString();
  const older = (open(cipher, endpointId, sealed) ?? [])
    .map((stored) => ({
      ...stored,
      until: stored.until !== null && stored.until < until ? stored.until : until,
    }))
    .filter((stored) => isActive(stored, change.nowMs));
  const all = [{ secret: change.secret, until: null }, ...older];
  return seal(cipher, endpointId, all.slice(0, SIGNATURES_MAX));
}

/** The secrets that sign now, newest first; undefined if they cannot be decrypted. */
export function signingSecrets(
  cipher: Cipher,
  endpointId: string,
  sealed: Uint8Array,
  nowMs: number,
): string[] | undefined {
  return open(cipher, endpointId, sealed)
    ?.filter((stored) => isActive(stored, nowMs))
    .map(({ secret }) => secret);
}
