/** The ledger of documents sent to the sandbox. */

export interface Filing {
  /** 15 digits, starting with 4. */
  mark: string;
  uid: string;
  documentId: string;
  filedAt: string;
  /** When the MARK becomes available. */
  markAt: string;
  /** Null until cancelled. */
  cancellationMark: string | null;
}

export type FilingEntry = Pick<Filing, "uid" | "documentId" | "filedAt" | "markAt">;

export interface SandboxLedger {
  /** Files each entry durably. Like the authority, accepts a uid again and gives it another MARK. */
  file(entries: readonly FilingEntry[]): Promise<void>;
  /** The filings of the uids, oldest first. */
  findByUids(uids: readonly string[]): Promise<Filing[]>;
  findByMark(mark: string): Promise<Filing | undefined>;
  /** Returns the MARK of the cancellation, the existing one if it was cancelled before; undefined for an unknown MARK. */
  cancel(mark: string, at: string): Promise<string | undefined>;
}
