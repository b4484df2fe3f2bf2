/** The open database: everything above storage works with this interface. */
import type { Cipher } from "../encryption/cipher.ts";
import type { KeyedSession, Session } from "./session.ts";
import type { Writer } from "./write.ts";

export interface Store extends Omit<Writer, "idle"> {
  /** Reads committed data. */
  readonly read: KeyedSession;
  /** Encrypts and decrypts secrets and personal data. */
  readonly cipher: Cipher;
  /** What `Transaction.remember` has read under the name. May be outdated: the commit asks again. */
  remembered(name: string): unknown;
  /** Runs several reads that see the same state of the database, on a separate connection. For audits and exports. */
  snapshot<T>(read: (session: KeyedSession) => Promise<T>): Promise<T>;
  /**
   * Writes the log of a database file back to it, which overwrites deleted data. Returns false if a reader or a write in progress
   * prevents it. Does nothing with a server.
   */
  checkpoint(): boolean;
  /** Undefined with a database file. */
  readonly counters: SharedCounters | undefined;
  /** Waits for all pending writes, then closes the database. */
  close(): Promise<void>;
}

/** Counters in the database, so that all its servers count together. */
export interface SharedCounters {
  /**
   * Counts one of `key`. A window begins with the first and lasts `seconds`. Throws UnavailableDatabaseError if it is not known
   * whether it was counted.
   */
  count(key: string, seconds: number): Promise<Counted>;
}

export interface Counted {
  /** In this window, this one included. */
  used: number;
  /** Until the window ends, rounded up. */
  resetSeconds: number;
}

/** Reads a database without changing or migrating it, and without its key. Each engine opens one in its own way. */
export interface Inspection {
  /** Sees one state of the database from the first read on. Reading a damaged part throws (`isStorageFailure`). */
  readonly session: Session;
  /** The schema version of the database; 0 if it has no schema of ours. */
  version(): number;
  close(): void;
}
