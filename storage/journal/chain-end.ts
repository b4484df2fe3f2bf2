/**
 * Extends the chain of events over the transactions of a process. The end of the chain is stored in the appliance row and
 * sealed, so that nobody can cut off the newest events and store an earlier end.
 */
import type { AuditKey } from "./audit-key.ts";
import { CHAIN_START, type ChainHead, continueUnsealed, linkAfter, sealHead } from "./event-chain.ts";

/** The end of the chain as it is stored. */
export interface StoredEnd {
  chainId: string;
  chain: Uint8Array;
  seal: Uint8Array;
}

export interface ChainEnd {
  /** Begins a transaction at the stored end. */
  open(key: AuditKey, stored: StoredEnd): void;
  /** See `Transaction.extendChain`. */
  extend(id: string, digest: Uint8Array, documentId: string | null): Uint8Array;
  /** Whether the transaction has linked anything. */
  isExtended(): boolean;
  /** What the transaction must store: the end that it began with, if it extended nothing. */
  toStore(): StoredEnd;
}

export function createChainEnd(): ChainEnd {
  /** The newest end that was found stored and sealed. */
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
    const seal = sealHead(key, { id: stored.chainId, link: stored.chain });
    if (!isSame(seal, stored.seal) || stored.chainId < (trusted?.chainId ?? "")) return false;
    trusted = stored;
    return true;
  }

  return {
    open(key, stored) {
      const end = { id: stored.chainId, link: stored.chain };
      head = isTrusted(key, stored) ? end : continueUnsealed(key, end);
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
      return head === first ? stored : { chainId: head.id, chain: head.link, seal: sealHead(key, head) };
    },
  };
}

function isSameEnd(one: StoredEnd, other: StoredEnd): boolean {
  return one.chainId === other.chainId && isSame(one.chain, other.chain) && isSame(one.seal, other.seal);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
