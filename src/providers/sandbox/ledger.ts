/** The ledger of documents sent to the sandbox. */
import type { Finding } from "../../domain/authority-rules.ts";
import type { CreditedDocument, OtherCredit } from "../../domain/credit-checks.ts";
import type { ListedDocument } from "../../domain/listed-document.ts";

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

/** What the ledger needs to know of a document to check credit notes about it. */
export type FiledContent = Pick<CreditedDocument, "supplier" | "customer" | "sentType" | "net"> &
  Pick<OtherCredit, "originalMarks">;

export type FilingEntry = Pick<Filing, "uid" | "documentId" | "filedAt" | "markAt"> & FiledContent;

/** A credit note on file. */
export type FiledCredit = Pick<OtherCredit, "id" | "net"> & { uid: string };

/** The documents on file, as credit notes see them. */
export interface Register {
  findCredited(mark: string): Promise<CreditedDocument | undefined>;
  /** The credit notes about the MARK that are not cancelled, oldest first. */
  findCreditsOf(mark: string): Promise<FiledCredit[]>;
  /** The MARKs that a credit note credits. */
  findOriginalMarks(credit: FiledCredit): Promise<string[]>;
}

/** Why an entry is not filed; empty if it is. Runs in the write that files it. */
export type Examine = (entry: FilingEntry, register: Register) => Promise<Finding[]>;

/** Whether a MARK may not be cancelled. Runs in the write that cancels it. */
export type ExamineCancellation = (mark: string, register: Register) => Promise<boolean>;

export type LedgerCancellation =
  | { kind: "cancelled"; cancellationMark: string }
  | { kind: "refused" }
  | { kind: "unknown_mark" };

/** Which filings to list: those with a MARK, of documents with these issue dates, both inclusive. */
export interface FilingRange {
  from: string;
  through: string;
  now: string;
  /** The last `place` of the page before; 0 for the first page. */
  after: number;
  limit: number;
}

/** A filing as the sandbox lists it. */
export type PlacedFiling = ListedDocument & { place: number };

export interface SandboxLedger {
  /**
   * Files each entry durably, in order, unless `examine` objects to it, and returns the objections to each. Like the authority,
   * accepts a uid again and gives it another MARK.
   */
  file(entries: readonly FilingEntry[], examine: Examine): Promise<Finding[][]>;
  /** The filings of the uids, oldest first. */
  findByUids(uids: readonly string[]): Promise<Filing[]>;
  /** In the order in which they were filed. */
  list(range: FilingRange): Promise<PlacedFiling[]>;
  findByMark(mark: string): Promise<Filing | undefined>;
  /** Cancels a MARK, unless `examine` objects to it. One that was cancelled before keeps the MARK of that cancellation. */
  cancel(mark: string, at: string, examine: ExamineCancellation): Promise<LedgerCancellation>;
}
