/** What the sandbox has been sent, as it keeps it. */

export interface Filing {
  /** 15 digits, the first a 4. */
  mark: string;
  uid: string;
  documentId: string;
  filedAt: string;
  /** When the MARK may be told. */
  markAt: string;
  /** Null until cancelled. */
  cancellationMark: string | null;
}

export type FilingEntry = Pick<Filing, "uid" | "documentId" | "filedAt" | "markAt">;

export interface SandboxLedger {
  /** Files each, durably. As at the authority a second filing of one uid is not refused: it gets a MARK of its own. */
  file(entries: readonly FilingEntry[]): Promise<void>;
  /** The filings of the uids, oldest first. */
  findByUids(uids: readonly string[]): Promise<Filing[]>;
  findByMark(mark: string): Promise<Filing | undefined>;
  /** The MARK of the cancellation, the first one where it was cancelled before; undefined for a MARK that is not there. */
  cancel(mark: string, at: string): Promise<string | undefined>;
}
