/**
 * The contract between issuing and a provider. An adapter translates: it knows the provider's format, codes and
 * habits, and answers with outcomes that `src/domain/lifecycle.ts` weighs. It keeps no state about documents, never
 * writes to the database and never decides about repeating: whether something may be sent again follows from the kind
 * of the outcome alone.
 *
 * The one distinction that matters: `not_sent` says that the provider certainly has not registered the document;
 * `unknown` says that it may have. A timeout, a connection cut after the request left, an unexplained 5xx or an
 * unreadable answer is `unknown`.
 */
import type { ErrorObject } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { CallOperation, CallOutcomeWord, Mode, Provider } from "../../storage/stored-values.ts";
import type { CanonicalDocument, Payment } from "./canonical-document.ts";
import type { CredentialsForm } from "./credentials-form.ts";

/** A document as an adapter gets it: what was accepted, what was decided about it, and its number. */
export interface OutgoingDocument {
  /** `doc_...`, unique for ever: the handle for providers that take a caller's id. */
  id: string;
  mode: Mode;
  /** The document as accepted, normalised. */
  input: CanonicalDocument;
  /** The authority's type that is sent: 1.1 becomes 1.2 or 1.3 abroad, and so on (decisions 5.6). */
  sentType: string;
  /** One pair for each line; `type` is null for category1_95 without one. */
  classifications: readonly { category: string; type: string | null }[];
  /** The payments as given, or the one of the whole gross that stands for them (decisions 5.5). */
  payments: readonly Payment[];
  /** Null only where the provider numbers and has not yet answered. */
  series: string | null;
  number: number | null;
  /** The uid by the authority's formula; null while series or number are unknown. */
  uid: string | null;
  metadata: Readonly<Record<string, string>>;
  /** An earlier send of this document is on record as not sent, because no connection to the provider could be made. */
  connectionWasLost: boolean;
  /**
   * Where the provider numbers: the first number above all that our own counter of the document's default series has given.
   * A book of that series that is made there begins with it. 1 where there is no such counter.
   */
  firstFreeNumber: number;
}

/** A document that a send was begun for: what a provider may be asked about. */
export interface SentDocument extends OutgoingDocument {
  /** What the provider called it; null when no answer ever came. */
  providerRef: string | null;
  mark: string | null;
  /** How often this stage has asked before; 0 at the first. */
  polls: number;
  /** When the first send of the document began: ISO instant. */
  submittedAt: string;
}

/** What the provider gave a document that it took. Series and number only where the provider numbers. */
export interface Registration {
  uid: string | null;
  qrUrl: string | null;
  series?: string;
  number?: number;
}

export type IssuedOutcome = { kind: "issued"; mark: string } & Registration;
/** Taken, the MARK follows: `awaiting_mark`. */
export type AcceptedOutcome = { kind: "accepted"; providerRef: string } & Registration;
/** Read and refused for good: `error.provider_code` and `provider_message` verbatim. */
export type RejectedOutcome = { kind: "rejected"; error: ErrorObject };
/** The account is refused (401, 403, missing rights): nothing is registered, the connection becomes `invalid`. */
export type CredentialsRefusedOutcome = {
  kind: "credentials_refused";
  error: ErrorObject;
  /** The account may not act for the document's supplier; for another one it may. */
  isAboutSupplier?: boolean;
};
/** Certainly not registered; may be sent again after `retryAfterMs`, or the usual pause. */
export type NotSentOutcome = {
  kind: "not_sent";
  error: ErrorObject;
  retryAfterMs?: number;
  /** Because no connection could be made: what a document that is sent later may have to say of itself. */
  connectionLost?: boolean;
  /** It was not even tried, because of what another one of its batch came to: it loses no attempt. */
  isUntried?: boolean;
};
/** May be registered: ask before anything is sent again. */
export type UnknownOutcome = {
  kind: "unknown";
  error: ErrorObject;
  retryAfterMs?: number;
  /**
   * The provider was asked and has it not, and shows another document under this one's number: once that is as certain as an
   * absence must be, the next number is taken.
   */
  numberOfAnother?: boolean;
  /** The MARK of that other document, where it is known. */
  markOfAnother?: string;
};
/** The number belongs to another document at the provider: the counter moves past it, the next one is sent. */
export type NumberTakenOutcome = {
  kind: "number_taken";
  error: ErrorObject;
  markOfAnother?: string;
};

export type IssueOutcome =
  | IssuedOutcome
  | AcceptedOutcome
  | RejectedOutcome
  | CredentialsRefusedOutcome
  | NotSentOutcome
  | UnknownOutcome
  | NumberTakenOutcome;

/** The answer to "has this accepted document its MARK?". `accepted` means: not yet. Trouble in asking changes nothing. */
export type StatusOutcome =
  | IssuedOutcome
  | AcceptedOutcome
  | RejectedOutcome
  | CredentialsRefusedOutcome
  | NotSentOutcome
  | UnknownOutcome;

/**
 * The answer to "what became of this send?". `absent` says that the provider was asked and has it not;
 * `surplusMarks` are further MARKs of the same uid, which are cancelled; `cancellationMark` says that the MARK was cancelled
 * by somebody meanwhile.
 */
export type ReconcileOutcome =
  | (IssuedOutcome & { surplusMarks?: readonly string[]; cancellationMark?: string })
  | AcceptedOutcome
  | RejectedOutcome
  | CredentialsRefusedOutcome
  | NumberTakenOutcome
  | { kind: "absent" }
  | NotSentOutcome
  | UnknownOutcome;

export type CancelOutcome =
  | { kind: "cancelled"; cancellationMark: string }
  | RejectedOutcome
  | CredentialsRefusedOutcome
  | NotSentOutcome
  | UnknownOutcome;

/** The answer to "is this MARK cancelled already?", asked before a cancellation is tried again. */
export type CancellationLookup =
  | { kind: "cancelled"; cancellationMark: string }
  | { kind: "not_cancelled" }
  | CredentialsRefusedOutcome
  | NotSentOutcome
  | UnknownOutcome;

export type PdfOutcome =
  | { kind: "pdf"; bytes: Uint8Array }
  | { kind: "not_ready"; retryAfterMs?: number }
  | { kind: "none" }
  | CredentialsRefusedOutcome
  | NotSentOutcome
  | UnknownOutcome;

export type VerifyOutcome =
  | { kind: "accepted" }
  | { kind: "refused"; error: ErrorObject }
  | { kind: "unavailable"; error: ErrorObject };

/**
 * The evidence of one exchange with a provider: one provider call in the log. The row stands on disk before the
 * recorder is handed out. Credentials are removed before anything is stored.
 */
export interface CallRecorder {
  /** What is about to be sent. `url` whole; the log's list shows origin and path only. */
  request(sent: { method: string; url: string; headers: Record<string, string>; body: string | null }): void;
  /** What came back, whatever its status. */
  response(received: { status: number; headers: Record<string, string>; body: string | null }): void;
  /** No answer, or none that could be read to its end. */
  failed(cause: unknown): void;
}

/** One thing that the provider would reject. External adapters may write the message in one language. */
export interface DocumentProblem {
  /** Relative to the document: `lines[2].vat_exemption`. */
  path: string;
  /** What is wrong and what is valid. Never repeats the rejected value. */
  message: Text | string;
}

/** What a provider says of a document before it is accepted. */
export interface DocumentCheck {
  /** Why the provider cannot issue it; empty when it can. Paths are relative to the document. */
  problems: readonly DocumentProblem[];
  /** What the provider may reject; shown as warnings of the classification, and no reason not to send. */
  warnings: readonly (Text | string)[];
  /** Whether the document itself is wrong (400), or the provider cannot do what it asks for (422). */
  code: "validation_failed" | "not_supported";
}

/** What a call is made with. */
export interface CallContext {
  mode: Mode;
  /** The connection's credentials; null for the sandbox. */
  credentials: Readonly<Record<string, string>> | null;
  /** Aborted when the process must end now: what was sent until then is `unknown`. */
  signal: AbortSignal;
  nowMs(): number;
  /**
   * From here on `value` (a token, a session) is removed from everything that is logged about this call. The connection's
   * credentials are known already.
   */
  secret(value: string): void;
  /** The evidence of the operation's own exchange where one exchange carries every document of the batch. */
  evidence: CallRecorder;
  /** The evidence of document `index` of the batch, where each has an exchange of its own; `others` were in the same one. */
  evidenceOf(index: number, ...others: readonly number[]): CallRecorder;
  /**
   * A further exchange (a login, the next page) with a call of its own: on disk when this resolves. Its outcome is read from the
   * HTTP status, unless `verdict` says what it came to.
   */
  begin(
    operation: CallOperation,
    purpose: "operation" | "auth",
    verdict?: CallVerdict,
  ): Promise<CallRecorder>;
  /**
   * What a send of the batch came to for one document, once its evidence is recorded: written down at once, so that it need not
   * wait for the others. `issue` answers it in the end as well, the same. Need not be called.
   */
  known(index: number, outcome: IssueOutcome): void;
}

/** What an exchange came to, where its HTTP status does not say it. */
export interface CallVerdict {
  outcome: CallOutcomeWord;
  error: ErrorObject | null;
}

export interface ProviderAdapter {
  readonly provider: Provider;
  /** Who gives series and number: `ours` allots them before the send, `provider` takes them from the answer. */
  readonly numbering: "ours" | "provider";
  /** How many documents one `issue` takes at the most; 1 where the provider takes one at a time. */
  readonly issueBatchMax: number;
  /** How many one `reconcile` or `status` takes; left out, as many as `issue`. More where one question answers for many. */
  readonly askBatchMax?: number;
  readonly canCancel: boolean;
  /** False where the provider has no PDF: `fetchPdf` is then never called. Left out, it is asked. */
  readonly hasPdf?: boolean;
  /** What a merchant is connected with; null where there is nothing to connect (the sandbox). */
  readonly credentials: CredentialsForm | null;
  /**
   * How sure an `absent` must be before the document is sent again: at least this many askings that found nothing,
   * over at least this long since `reconciling` began. Longer where the provider lists late what it registered.
   */
  readonly settle: { askings: number; seconds: number };

  /**
   * What the provider certainly refuses and can be known when the document arrives, so that nobody learns it at night. `today`
   * is the day in Athens. Pure. Without it everything that the canonical document allows is accepted.
   */
  check?(document: CanonicalDocument, about: { sentType: string; today: string }): DocumentCheck;

  /**
   * The provider's format as a JSON object: what preview shows and what `issue` sends, built by the same code.
   * Pure. A null number is shown as the next free one by the caller, never by the adapter.
   */
  buildPayload(document: OutgoingDocument): Record<string, unknown>;

  /**
   * Sends documents of one connection, in the order given, which is that of their numbers. Answers one outcome for each, in
   * the same order. Never throws for what a network or a provider can do; a throw is a defect and counts as `unknown`.
   */
  issue(documents: readonly OutgoingDocument[], call: CallContext): Promise<readonly IssueOutcome[]>;

  /** Asks for the MARK of accepted documents, one outcome for each in the same order. */
  status(documents: readonly SentDocument[], call: CallContext): Promise<readonly StatusOutcome[]>;

  /** Asks by identity what became of sends without an answer. Sends nothing that could register a document. */
  reconcile(documents: readonly SentDocument[], call: CallContext): Promise<readonly ReconcileOutcome[]>;

  /** Cancels an issued document. Called only where `canCancel`. */
  cancel(document: SentDocument, call: CallContext): Promise<CancelOutcome>;
  /** Looks whether the document is cancelled already. Called only where `canCancel`. */
  findCancellation(document: SentDocument, call: CallContext): Promise<CancellationLookup>;

  /** The provider's own PDF; `none` where it has none of this document. Never called where `hasPdf` is false. */
  fetchPdf(document: SentDocument, call: CallContext): Promise<PdfOutcome>;

  /** Asks the provider whether it takes the credentials in `call`. Registers nothing. */
  verify(call: CallContext): Promise<VerifyOutcome>;
}

/** The providers that this appliance can send to. */
export interface ProviderRegistry {
  find(provider: Provider): ProviderAdapter | undefined;
  /** Throws `not_supported` for a provider that no adapter is configured for. */
  get(provider: Provider): ProviderAdapter;
  all(): readonly ProviderAdapter[];
}
