/**
 * What the sandbox has and shows: its ledger in the database, with its MARKs, and the requests and responses that it simulates, recorded as
 * if they had gone over the network.
 */
import { findReadableInputs } from "../../../storage/documents/documents.ts";
import type { KeyedSession, Session } from "../../../storage/database/session.ts";
import {
  findCreditedMarks,
  findSandboxCredits,
  findSandboxFiling,
  type SandboxFilingRow,
} from "../../../storage/documents/sandbox.ts";
import type { CanonicalDocument } from "../../domain/canonical-document.ts";
import type { Credit, CreditedDocument } from "../../domain/credit-checks.ts";
import { readJson } from "../../foundation/json.ts";
import type { CallContext, CallRecorder, OutgoingDocument } from "../../domain/provider-adapter.ts";
import type { Store } from "../../../storage/database/store.ts";

export interface SandboxOptions {
  /** Has the ledger. */
  store: Store;
  /** Rejects what the authority would reject (docs/contract.md#strict-sandbox). */
  isStrict: boolean;
  /** The address of this server, where the sandbox's document pages are, without a slash at the end. */
  publicUrl(): string;
}

const JSON_HEADERS = { "content-type": "application/json" };

export function urlOf(options: SandboxOptions, path: string): string {
  return `${options.publicUrl()}/sandbox/${path}`;
}

export function recordRequest(
  recorder: CallRecorder,
  method: "GET" | "POST",
  url: string,
  body?: object,
): void {
  const headers = body === undefined ? {} : JSON_HEADERS;
  recorder.request({ method, url, headers, body: body ?? null });
}

export function recordResponse(recorder: CallRecorder, status: number, body: object): void {
  recorder.response({ status, headers: JSON_HEADERS, body });
}

/** Throws on calls that no caller may make: a live document, or one without the identifier it is filed under. */
export function assertTest({ mode }: CallContext): void {
  if (mode !== "test") throw new Error("A live document never reaches the sandbox");
}

export function uidOf({ id, uid }: OutgoingDocument): string {
  if (uid === null) throw new Error(`The document ${id} has no uid to be filed under`);
  return uid;
}

/** MARKs have 15 digits and start with 4. Those of cancellations have their own range. */
const MARK_BASE = 400_000_000_000_000;
const CANCELLATION_BASE = 490_000_000_000_000;

export function markOf({ id }: Pick<SandboxFilingRow, "id">): string {
  return String(MARK_BASE + id);
}

export function cancellationMarkOf({ id }: Pick<SandboxFilingRow, "id">): string {
  return String(CANCELLATION_BASE + id);
}

export async function findByMark(session: Session, mark: string): Promise<SandboxFilingRow | undefined> {
  return /^4\d{14}$/.test(mark) ? findSandboxFiling(session, { id: Number(mark) - MARK_BASE }) : undefined;
}

async function findCredited(session: KeyedSession, mark: string): Promise<CreditedDocument | undefined> {
  const row = await findByMark(session, mark);
  if (row === undefined) return undefined;
  const { supplier, document_id: id, sent_type: sentType, net } = row;
  const input = (await findReadableInputs(session, [id])).get(id);
  const contents = input === undefined ? {} : readJson<CanonicalDocument>(input.input_json);
  return { mark, supplier, contents, sentType, net, isCancelled: row.cancelled_at !== null };
}

/** What the ledger has about the documents that a credit note credits, and about other credit notes for them. */
export async function readCredit(
  session: KeyedSession,
  { input }: OutgoingDocument,
  { uid, originalMarks }: { uid: string; originalMarks: readonly string[] },
): Promise<Credit> {
  const originals: CreditedDocument[] = [];
  const unknownMarks: string[] = [];
  // A document that is sent again replaces its earlier filing.
  const byUid = new Map<string, Pick<SandboxFilingRow, "id" | "net">>();
  for (const mark of originalMarks) {
    const original = await findCredited(session, mark);
    if (original === undefined) unknownMarks.push(mark);
    else originals.push(original);
    for (const credit of await findSandboxCredits(session, { mark })) byUid.set(credit.uid, credit);
  }
  byUid.delete(uid);
  const otherCredits: Credit["otherCredits"][number][] = [];
  const nets = new Map<string, number | undefined>();
  for (const { id, net } of byUid.values()) {
    const marks = await findCreditedMarks(session, { id });
    otherCredits.push({ id: String(id), net, originalMarks: marks });
    for (const mark of marks) nets.set(mark, (await findCredited(session, mark))?.net);
  }
  const netOf = (mark: string) => nets.get(mark);
  return { document: input, originals, unknownMarks, knowsEveryMark: true, otherCredits, netOf };
}
