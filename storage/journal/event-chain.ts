/**
 * The keyed chain of events (docs/contract.md#keyed-audit-chain). In the order of ids, the link of each event authenticates the
 * previous link and the event, so that nobody without the audit key can change, move, remove or add one. Personal data can
 * still be removed: what may be removed or replaced is covered by a digest of its own, which the note about the removal keeps.
 * docs/audit.md has the exact form of everything that is authenticated. The end of the chain is stored in the appliance row and
 * authenticated too, so that nobody can cut off the newest events and store an earlier end.
 */
import type { AuditKey } from "../encryption/key-ring.ts";
import type { Row } from "../database/schema.ts";

/** The columns of an event that the chain covers: all except the link. */
export type ChainedEvent = Omit<Row<"events">, "chain">;
export type EventNoteRow = Row<"event_notes">;

/** The end of the chain: its newest id and link. */
export interface ChainHead {
  id: string;
  link: Uint8Array;
}

export const CHAIN_START: ChainHead = { id: "", link: new Uint8Array(32) };

/**
 * The digests of what may be removed from an event or replaced in it; null for what it does not have. A digest needs the key
 * and contains the event's id, so that it reveals nothing, not even that two events have the same number.
 */
export interface RemovableDigests {
  object: Uint8Array | null;
  previous: Uint8Array | null;
  /** Of `request_id` and `idempotency_key`, if one is set. */
  request: Uint8Array | null;
}

/** The digests of what the row has now. */
export function digestRemovable(key: AuditKey, row: ChainedEvent): RemovableDigests {
  const { id, object_json: object, previous_json: previous } = row;
  const digestWords = (part: "object" | "previous", json: string | null) =>
    json === null || withoutProviderWords(json) === json
      ? null
      : key.authenticate(JSON.stringify([part, id]), json);
  const hasRequest = row.request_id !== null || row.idempotency_key !== null;
  return {
    object: digestWords("object", object),
    previous: digestWords("previous", previous),
    request: hasRequest
      ? key.authenticate(JSON.stringify(["request", id, row.request_id, row.idempotency_key]))
      : null,
  };
}

/**
 * The digest of an event apart from its document's id, which `linkAfter` adds. `removable` are the digests of what the event
 * had when it was written. The text contains the lengths, so that moving text from one part to the other changes it.
 */
export function digestOfEvent(key: AuditKey, row: ChainedEvent, removable: RemovableDigests): Buffer {
  const object = withoutProviderWords(row.object_json);
  const previous = row.previous_json === null ? null : withoutProviderWords(row.previous_json);
  const head = JSON.stringify([
    "event",
    row.id,
    row.type,
    row.mode,
    row.merchant_id,
    row.created_at,
    hexOrNull(row.document_digest),
    hexOrNull(removable.object),
    hexOrNull(removable.previous),
    hexOrNull(removable.request),
    object.length,
    previous === null ? null : previous.length,
  ]);
  return key.authenticate(`${head}\n${object}\n${previous ?? ""}`);
}

export function digestOfNote(key: AuditKey, note: Omit<EventNoteRow, "chain">): Buffer {
  const { id, kind, event_id, digest, digest_after } = note;
  return key.authenticate(
    JSON.stringify(["note", id, kind, event_id, hexOf(digest), hexOrNull(digest_after)]),
  );
}

/**
 * The link that follows `link`. `documentId` is the document of the event, or null. It is not part of the digest: a note about a
 * deleted event keeps only the digest, and so cannot take the place of a document's event.
 */
export function linkAfter(
  key: AuditKey,
  link: Uint8Array,
  digest: Uint8Array,
  documentId: string | null,
): Buffer {
  return key.authenticate(link, digest, documentId ?? "");
}

/** Authenticates the end of the chain, so that cutting off the newest events is noticed. */
export function authenticateEnd(key: AuditKey, { id, link }: ChainHead): Buffer {
  return key.authenticate(JSON.stringify(["head", id, hexOf(link)]));
}

/**
 * Where the chain goes on if its stored end is not authentic: the next link will not follow from the one before, so that the
 * audit finds this place also after further events.
 */
function continueUnauthenticated(key: AuditKey, { id, link }: ChainHead): ChainHead {
  return { id, link: key.authenticate(JSON.stringify(["unsealed", id, hexOf(link)])) };
}

function hexOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : hexOf(bytes);
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** The keys of a provider's words begin with this. Found in few other snapshots, and saves parsing the rest. */
const SIGN = '"provider_';

/** Where a snapshot contains an error. */
const ERROR_FIELDS = ["error", "last_error"] as const;

/** Removes the words from an error, and returns whether it had any. */
export function removeProviderWords(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const fields = error as { provider_message?: unknown; provider_raw?: unknown };
  const hasWords = typeof fields.provider_message === "string" || fields.provider_raw !== undefined;
  if (hasWords) {
    fields.provider_message = null;
    delete fields.provider_raw;
  }
  return hasWords;
}

/** The snapshot without a provider's words: `json` itself if it has none, or cannot be read. */
export function withoutProviderWords(json: string): string {
  if (!json.includes(SIGN)) return json;
  const snapshot = parseObject(json);
  if (snapshot === undefined) return json;
  const removed = ERROR_FIELDS.map((field) => removeProviderWords(snapshot[field]));
  return removed.includes(true) ? JSON.stringify(snapshot) : json;
}

function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The end of the chain as it is stored. */
export interface StoredEnd {
  chainId: string;
  chain: Uint8Array;
  mac: Uint8Array;
}

interface ChainEnd {
  open(key: AuditKey, stored: StoredEnd): void;
  /** See `Transaction.extendChain`. */
  extend(id: string, digest: Uint8Array, documentId: string | null): Uint8Array;
  isExtended(): boolean;
  /** What the transaction must store: the end that it began with, if it extended nothing. */
  toStore(): StoredEnd;
}

export function createChainEnd(): ChainEnd {
  /** The newest end that was found stored and authentic. */
  let trusted: StoredEnd | undefined;
  let transaction: { key: AuditKey; stored: StoredEnd; first: ChainHead } | undefined;
  let head: ChainHead = CHAIN_START;

  function current() {
    if (transaction === undefined) throw new Error("The chain of events is extended in a transaction only");
    return transaction;
  }

  /** Whether nobody else wrote this end. An end before one that was seen earlier was put back. */
  function isTrusted(key: AuditKey, stored: StoredEnd): boolean {
    if (trusted !== undefined && isSameEnd(stored, trusted)) return true;
    const mac = authenticateEnd(key, { id: stored.chainId, link: stored.chain });
    if (!isSame(mac, stored.mac) || stored.chainId < (trusted?.chainId ?? "")) return false;
    trusted = stored;
    return true;
  }

  return {
    open(key, stored) {
      const end = { id: stored.chainId, link: stored.chain };
      head = isTrusted(key, stored) ? end : continueUnauthenticated(key, end);
      transaction = { key, stored, first: head };
    },
    extend(id, digest, documentId) {
      if (id <= head.id) throw new Error(`${id} cannot follow ${head.id} in the chain of events`);
      head = { id, link: linkAfter(current().key, head.link, digest, documentId) };
      return head.link;
    },
    isExtended: () => head !== current().first,
    toStore() {
      const { key, stored, first } = current();
      return head === first
        ? stored
        : { chainId: head.id, chain: head.link, mac: authenticateEnd(key, head) };
    },
  };
}

function isSameEnd(one: StoredEnd, other: StoredEnd): boolean {
  return one.chainId === other.chainId && isSame(one.chain, other.chain) && isSame(one.mac, other.mac);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
