/**
 * The contract between issuing and a provider.
 *
 * An adapter translates. It knows the provider's format, error codes and habits, and reports what happened as an
 * outcome; the document's lifecycle (lifecycle.ts) decides what that means for the document. An adapter keeps no state about
 * documents, never writes to the database, and never decides whether to send again: that follows from the outcome alone.
 *
 * One distinction matters more than all others, because a document sent twice may be registered twice:
 *
 * - `not_sent`: the provider has certainly not registered the document. It may be sent again.
 * - `unknown`: the provider may have registered it. It is looked up (`reconcile`) before anything is sent again.
 *
 * A timeout, a connection that breaks after the request left, an unexplained 5xx and an unreadable response are all
 * `unknown`. When in doubt, return `unknown`: it costs a question, a wrong `not_sent` costs a duplicate.
 *
 * docs/adapters.md explains how to write an adapter, and `fiscal/adapter-test` checks one against this contract.
 */
import type { CallOperation, StoredCallOutcome, Mode, Provider } from "../../storage/stored-values.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import type { SettingsTable } from "../foundation/setting.ts";
import type { Text } from "../foundation/text.ts";
import type { CanonicalDocument, Payment } from "./canonical-document.ts";
import type { CredentialsForm } from "./credentials-form.ts";
import type {
  CustomerRefusal,
  ListedDocument,
  RegisteredDocument,
  VatFigures,
} from "./provider-documents.ts";

/** A document as an adapter receives it: what was accepted, what was decided about it, and its number. */
export interface OutgoingDocument {
  /** `doc_...`, unique forever: use it where the provider accepts an id of the caller. */
  id: string;
  mode: Mode;
  /** The document as accepted, normalised. */
  input: CanonicalDocument;
  /** The authority's type to send: for a customer abroad 1.1 becomes 1.2 or 1.3, and so on. */
  sentType: string;
  /** One for each line. `type` is null for category1_95, which has none. */
  classifications: readonly { category: string; type: string | null }[];
  /** The payments as given; without any, one payment of the gross total. */
  payments: readonly Payment[];
  /** The supplier pays VAT when it is paid itself (cash accounting): `vatPaymentSuspension` in the authority's format. */
  vatPaymentSuspension: boolean;
  /** Series and number are null only while the provider, which numbers the document itself, has not answered yet. */
  series: string | null;
  number: number | null;
  /** The uid by the authority's formula; null while the series or the number is unknown. */
  uid: string | null;
  metadata: Readonly<Record<string, string>>;
  /**
   * An earlier send got no response, and a query did not find it. Where several documents share a message, send this one alone:
   * it may be the one that the provider could not process.
   */
  wasNotFound: boolean;
  /**
   * Where the provider numbers: the first number above all that our own counter for the document's default series has
   * allocated, or 1 without such a counter. A book created for that series at the provider should start with it.
   */
  firstFreeNumber: number;
}

/** A document that an attempt to send was started for. */
export interface SentDocument extends OutgoingDocument {
  /** The provider's id for the document; null if it never answered. */
  providerRef: string | null;
  mark: string | null;
  /** How many times the document was queried in its current stage. */
  polls: number;
  /** When the first attempt started: ISO instant. */
  submittedAt: string;
}

/** What the provider assigned to a document. Series and number only where the provider numbers. */
export interface Registration {
  uid: string | null;
  qrUrl: string | null;
  series?: string;
  number?: number;
  /** Only from licensed providers; printed on fiscal's own PDF (docs/authority.md#authentication-code). */
  authenticationCode?: string;
}

export type IssuedOutcome = { kind: "issued"; mark: string } & Registration;

/** The provider has the document and will assign its MARK later. */
export type AcceptedOutcome = { kind: "accepted"; providerRef: string } & Registration;

/** The provider read the document and refused it for good. `error` has its code and message, unchanged. */
export type RejectedOutcome = { kind: "rejected"; error: ErrorObject };

/** The provider refused the account (401, 403, missing rights) and registered nothing. The connection becomes `invalid`. */
export type CredentialsRefusedOutcome = {
  kind: "credentials_refused";
  error: ErrorObject;
  /**
   * Only the document's supplier was refused. If that is not the merchant, and the account issues for another supplier, the document is
   * rejected and the connection stays active.
   */
  isAboutSupplier?: boolean;
};

/** Certainly not registered. Sent again after `retryAfterMs`, or after the usual delay. */
export type NotSentOutcome = {
  kind: "not_sent";
  error: ErrorObject;
  retryAfterMs?: number;
  /** The document was not tried because of another one in its batch. This does not count as an attempt. */
  isUntried?: boolean;
};

/** Possibly registered: looked up before anything is sent again. */
export type UnknownOutcome = {
  kind: "unknown";
  error: ErrorObject;
  retryAfterMs?: number;
  /**
   * The provider does not have this document, and another one has its number. Once the absence is certain (`settle`),
   * the next number is used.
   */
  numberOfAnother?: boolean;
  /** The MARK of that other document, if known. */
  markOfAnother?: string;
};

/** Another document at the provider has this number: the counter moves past it, and the document gets the next one. */
export type NumberTakenOutcome = {
  kind: "number_taken";
  error: ErrorObject;
  markOfAnother?: string;
};

/**
 * The account was refused, or there is no readable answer. For a query all three mean that nothing new is known; for a send they differ as
 * above.
 */
export type FailedQuery = CredentialsRefusedOutcome | NotSentOutcome | UnknownOutcome;

/** The result of sending a document. */
export type IssueOutcome =
  | IssuedOutcome
  | AcceptedOutcome
  | RejectedOutcome
  | FailedQuery
  | NumberTakenOutcome;

/** Whether an accepted document has its MARK. `accepted` means not yet. */
export type StatusOutcome = IssuedOutcome | AcceptedOutcome | RejectedOutcome | FailedQuery;

/**
 * What happened to a document whose sending got no answer. `absent`: the provider was asked and does not have it.
 * Of several MARKs of one uid, `mark` is the highest that is not cancelled. `surplusMarks` are the lower ones that are not
 * cancelled and will be; `cancelledMarks` are others that are. `cancellationMark` is set if the document has been cancelled
 * since.
 */
export type ReconcileOutcome =
  | (IssuedOutcome & {
      surplusMarks?: readonly string[];
      cancelledMarks?: readonly string[];
      cancellationMark?: string;
    })
  | AcceptedOutcome
  | RejectedOutcome
  | FailedQuery
  | NumberTakenOutcome
  | { kind: "absent" };

export type CancelOutcome =
  /** `cancellationMark` is null if it was cancelled before and the provider does not show by which MARK. */
  { kind: "cancelled"; cancellationMark: string | null } | RejectedOutcome | FailedQuery;

/** Whether a document is already cancelled, asked before a cancellation is tried again. */
export type CancellationLookup =
  | { kind: "cancelled"; cancellationMark: string }
  | { kind: "not_cancelled" }
  | FailedQuery;

export type PdfOutcome =
  | { kind: "pdf"; bytes: Uint8Array }
  | { kind: "not_ready"; retryAfterMs?: number }
  | { kind: "none" }
  | FailedQuery;

/** Which part of a list to read. `from` and `through` are issue dates, `YYYY-MM-DD`, both inclusive. */
export interface ListQuery {
  from: string;
  through: string;
  /** Null for the first page, then `next` of the page before. */
  page: string | null;
}

/** One page of a list. `next` is null on the last page; it contains no secret. */
export type ListOutcome<Item> = { kind: "page"; items: readonly Item[]; next: string | null } | FailedQuery;

/** `absent`: the account has no document with the MARK. */
export type ReadDocumentOutcome =
  | { kind: "found"; document: RegisteredDocument }
  | { kind: "absent" }
  | FailedQuery;

export type VerifyOutcome =
  | { kind: "accepted" }
  | { kind: "refused"; error: ErrorObject }
  | { kind: "unavailable"; error: ErrorObject };

/**
 * Records one exchange with a provider as a provider call in the log. Its row is on disk before the adapter gets the
 * recorder, so that a crash leaves evidence of the attempt. Credentials are removed before anything is stored.
 */
export interface CallRecorder {
  /** Call before sending. `url` is the whole address; lists in the log show only its origin and path. */
  request(sent: { method: string; url: string; headers: Record<string, string>; body: Body }): void;
  /** The response regardless of its status. */
  response(received: { status: number; headers: Record<string, string>; body: Body }): void;
  /** There was no response, or it could not be read to its end. */
  failed(cause: unknown): void;
}

/** Text, or an object that the log writes as JSON, which must not change afterwards. */
type Body = string | object | null;

/** A reason why the provider would reject a document. */
export interface DocumentProblem {
  /** Relative to the document: `lines[2].vat_exemption`. */
  path: string;
  /** What is wrong and what is valid, without the rejected value. A plain string is shown in both languages. */
  message: Text | string;
}

/** What a provider says about a document before it is accepted. */
export interface DocumentCheck {
  /** Why the provider cannot issue it; empty if it can. */
  problems: readonly DocumentProblem[];
  /** What the provider may refuse. Shown as warnings of the classification; the document is sent anyway. */
  warnings: readonly (Text | string)[];
  /** `validation_failed` (400) if the document is wrong, `not_supported` (422) if the provider cannot do what it asks for. */
  code: "validation_failed" | "not_supported";
}

/** What every call to a provider is given. */
export interface CallContext {
  mode: Mode;
  /** The connection's credentials; null for the sandbox. */
  credentials: Readonly<Record<string, string>> | null;
  /** Aborted when the process must stop now. Whatever was being sent is `unknown`. */
  signal: AbortSignal;
  nowMs(): number;
  /** Removes `value` (a token, a session) from everything logged about this call from now on. Credentials are removed anyway. */
  secret(value: string): void;
  /** Records the exchange of an operation that handles the whole batch in one exchange. */
  evidence: CallRecorder;
  /** Records the exchange of document `index` of the batch, if each has its own; `others` shared the same exchange. */
  evidenceOf(index: number, ...others: readonly number[]): CallRecorder;
  /**
   * Starts a further exchange (a login, the next page) with its own log entry. Its outcome follows from the HTTP status unless
   * `verdict` gives it.
   */
  begin(
    operation: CallOperation,
    purpose: "operation" | "auth",
    verdict?: CallVerdict,
  ): Promise<CallRecorder>;
  /**
   * Stores what is about to file documents of the batch (docs/contract.md#document-substance). Call it in `issue` before each
   * send, and send only once the promise resolves, so that what was sent is known even if the process dies.
   */
  filing(filed: readonly Filing[]): Promise<void>;
  /**
   * Reports the outcome of one document of the batch as soon as its evidence is recorded, so that it is stored without
   * waiting for the others. Optional. `issue` must return the same outcome in the end.
   */
  known(index: number, outcome: IssueOutcome): void;
}

/** What files one document: its own part of the request, exactly as it is sent, without credentials. */
export interface Filing {
  /** The position of the document in its batch. */
  index: number;
  /** XML or JSON. */
  text: string;
}

/** The outcome of an exchange whose HTTP status does not show it. */
export interface CallVerdict {
  outcome: StoredCallOutcome;
  error: ErrorObject | null;
}

/** What a provider declares about itself: fixed, and known without asking it. */
export interface ProviderDescription {
  readonly provider: Provider;
  /** What people call it; without a name, its id is shown. A plain string is shown in both languages. */
  readonly name?: Text | string;
  /** Who numbers documents: `ours` allocates series and number before sending, `provider` reads them from the response. */
  readonly numbering: "ours" | "provider";
  /** How many documents one `issue` may get; 1 if the provider takes one at a time. */
  readonly issueBatchMax: number;
  /** How many documents one `reconcile` or `status` may get, if not as many as `issue`. */
  readonly askBatchMax?: number;
  readonly canCancel: boolean;
  /** False if the provider has no PDFs: `fetchPdf` is then never called. */
  readonly hasPdf?: boolean;
  /** True for the tax authority's own interface, which is not a licensed provider: some documents may not go through it. */
  readonly isAuthority?: boolean;
  /** The form a merchant is connected with; null if there is nothing to connect to (the sandbox). */
  readonly credentials: CredentialsForm | null;
}

/** The description of a built-in provider, with its settings under `[providers.<id>]`. */
export interface BuiltInDescription extends ProviderDescription {
  readonly settings: SettingsTable;
}

export interface ProviderAdapter extends ProviderDescription {
  /**
   * When `absent` is certain enough to send again: after at least `askings` lookups that found nothing, over at least
   * `seconds` since reconciling began. Choose longer if the provider lists new documents late.
   */
  readonly settle: { askings: number; seconds: number };

  /**
   * Finds what the provider would certainly refuse, so that the caller learns it at once. `today` is the date in Athens.
   * Pure. Without this method, every valid canonical document is accepted.
   */
  check?(
    document: CanonicalDocument,
    about: { sentType: string; today: string; vatPaymentSuspension: boolean },
  ): DocumentCheck;

  /**
   * The document in the provider's format, as a JSON object. Preview shows it, and `issue` sends it, built by the same
   * code. Pure. In a preview the caller fills in the next free number.
   */
  buildPayload(document: OutgoingDocument): Record<string, unknown>;

  /**
   * Sends documents of one connection in the order given, which is the order of their numbers. Returns one outcome for
   * each, in the same order. Must not throw for anything a network or a provider does: an error thrown is a defect and
   * counts as `unknown`.
   */
  issue(documents: readonly OutgoingDocument[], call: CallContext): Promise<readonly IssueOutcome[]>;

  /** Asks for the MARKs of accepted documents. Returns one outcome for each, in the same order. */
  status(documents: readonly SentDocument[], call: CallContext): Promise<readonly StatusOutcome[]>;

  /** Looks up what happened to documents whose sending got no answer. Must not send anything that could register one. */
  reconcile(documents: readonly SentDocument[], call: CallContext): Promise<readonly ReconcileOutcome[]>;

  /** Cancels an issued document. Called only if `canCancel`. */
  cancel(document: SentDocument, call: CallContext): Promise<CancelOutcome>;
  /** Looks up whether the document is already cancelled. Called only if `canCancel`. */
  findCancellation(document: SentDocument, call: CallContext): Promise<CancellationLookup>;

  /** Fetches the provider's own PDF; `none` if it has none of this document. Never called if `hasPdf` is false. */
  fetchPdf(document: SentDocument, call: CallContext): Promise<PdfOutcome>;

  /**
   * Lists what the provider has for the account with issue dates in the range, also what other programs sent; it may list more. With this
   * method `documents reconcile` can compare the provider (docs/contract.md#reconcile).
   */
  listDocuments?(query: ListQuery, call: CallContext): Promise<ListOutcome<ListedDocument>>;
  /** Lists what each document adds to the VAT return. */
  listVatFigures?(query: ListQuery, call: CallContext): Promise<ListOutcome<VatFigures>>;
  /** Lists which documents customers have refused. */
  listRefusals?(query: ListQuery, call: CallContext): Promise<ListOutcome<CustomerRefusal>>;

  /**
   * Reads one document of the account with its lines, also one that another program sent. With this method it can be credited
   * (docs/contract.md#crediting-a-document-issued-elsewhere).
   */
  readDocument?(mark: string, call: CallContext): Promise<ReadDocumentOutcome>;

  /** Asks the provider whether it accepts the credentials in `call`. Must not register anything. */
  verify(call: CallContext): Promise<VerifyOutcome>;
}

/** The providers that this appliance can send to. */
export interface ProviderRegistry {
  find(provider: Provider): ProviderAdapter | undefined;
  /** Throws `not_supported` if the appliance has no adapter for the provider. */
  get(provider: Provider): ProviderAdapter;
  all(): readonly ProviderAdapter[];
}
