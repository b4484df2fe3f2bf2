/**
 * `fiscal/adapter`: the types that external adapters are written against (docs/adapters.md). They change only with
 * the major version of the package.
 */
export type {
  AcceptedOutcome,
  CallContext,
  CallRecorder,
  CancelOutcome,
  CancellationLookup,
  CredentialsRefusedOutcome,
  DocumentCheck,
  DocumentProblem,
  IssuedOutcome,
  IssueOutcome,
  ListOutcome,
  ListQuery,
  NotSentOutcome,
  NumberTakenOutcome,
  OutgoingDocument,
  PdfOutcome,
  ProviderAdapter,
  ReadDocumentOutcome,
  ReconcileOutcome,
  Registration,
  RejectedOutcome,
  SentDocument,
  StatusOutcome,
  UnknownOutcome,
  VerifyOutcome,
} from "../domain/provider-adapter.ts";
export type { CustomerRefusal, ListedDocument, VatFigures } from "../domain/provider-documents.ts";
export type { RegisteredDocument, RegisteredLine, RegisteredParty } from "../domain/provider-documents.ts";
export type { CredentialField, CredentialsForm } from "../domain/credentials-form.ts";
export type { Exchange, HttpAnswer, HttpRequest } from "./exchange.ts";
export type { AdapterHost, CreateAdapter } from "./adapter-module.ts";
export type { ErrorCode, ErrorObject } from "../foundation/errors.ts";
export type { CanonicalDocument } from "../domain/canonical-document.ts";
