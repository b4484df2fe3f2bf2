/**
 * provider_a: the licensed provider described in docs/provider-a.md. It takes one document at a time, dates and
 * numbers it itself, and stores it under our document id, which is unique there: a send that got no answer is read
 * back by that id, and a second send is refused. Issued documents cannot be cancelled, only credited.
 */
import { isObject, type JsonObject } from "../../foundation/json.ts";
import type {
  ListOutcome,
  ListQuery,
  ProviderAdapter,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../domain/provider-adapter.ts";
import { PROVIDER_A } from "./description.ts";
import {
  buildPayload,
  checkForProviderA,
  SUSPENSION_IS_NOT_SENT,
  UNSUPPORTED_CODE,
  warnAboutWithheld,
} from "./payload.ts";
import { askFor } from "./invoices.ts";
import { issueDocument } from "./issue.ts";
import { fetchPdf } from "./pdf.ts";
import { centsOf, readRefusal, textOf, unclear } from "./refusals.ts";
import type { ClientOptions } from "../exchange.ts";
import { createSessions, type Session } from "./session.ts";
import type { ListedDocument } from "../../domain/provider-documents.ts";
import { MARK_FORM } from "../../domain/canonical-document.ts";

interface ProviderAOptions extends ClientOptions {
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
}

/**
 * What it accepts shows at once under our id; that it accepted nothing is certain only after several lookups
 * (docs/provider-a.md#lost-sends).
 */
const SETTLE = { askings: 3, seconds: 120 } as const;

function neverCancelled(): never {
  throw new Error("provider_a cannot cancel a document: it is credited instead");
}

export function createProviderA(options: ProviderAOptions): ProviderAdapter {
  const open = createSessions(options);
  return {
    ...PROVIDER_A,
    settle: SETTLE,
    check: (document, { today, vatPaymentSuspension }) => ({
      problems: checkForProviderA(document, today),
      warnings: [...(vatPaymentSuspension ? [SUSPENSION_IS_NOT_SENT] : []), ...warnAboutWithheld(document)],
      code: UNSUPPORTED_CODE,
    }),
    buildPayload: (document) => buildPayload(document),
    issue: async (documents, call) => [
      await issueDocument(open(call), onlyOf(documents), () => options.today()),
    ],
    status: async (documents, call) => [await askForMark(open(call), onlyOf(documents))],
    // By our id even if theirs is known: the send is in doubt, and it carried ours.
    reconcile: async (documents, call) => [
      await askFor(open(call), "status", call.evidence, { document: onlyOf(documents), providerRef: null }),
    ],
    cancel: neverCancelled,
    findCancellation: neverCancelled,
    fetchPdf: async (document, call) => fetchPdf(open(call), document, options),
    listDocuments: async (query, call) => listDocuments(open(call), query),
    verify: async (call) => verify(open(call)),
  };
}

async function askForMark(session: Session, document: SentDocument): Promise<StatusOutcome> {
  const { providerRef } = document;
  const state = await askFor(session, "status", session.call.evidence, { document, providerRef });
  return state.kind === "absent" ? unclear() : state;
}

/**
 * Always logs in again, because a token outlives credentials that were withdrawn. An account without a plan, or not
 * yet allowed to issue (`has_plan`, `issue_invoice_status`), is accepted: its credentials are right, and issuing will
 * report what it may not do.
 */
async function verify(session: Session): Promise<VerifyOutcome> {
  session.account.token = undefined;
  const request = { method: "GET", path: "/tenant_details" } as const;
  const reply = await session.send("verify", session.call.evidence, request);
  if (reply.kind === "credentials_refused") return { kind: "refused", error: reply.error };
  if (reply.kind !== "read") return { kind: "unavailable", error: reply.error };
  const refusal = readRefusal(reply.body);
  if (refusal === undefined && reply.status < 300 && isObject(reply.body)) return { kind: "accepted" };
  return { kind: "unavailable", error: unclear(refusal).error };
}

function onlyOf<T>(documents: readonly T[]): T {
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw new Error("provider_a takes one document at a time");
  return document;
}

/**
 * The provider dates a document when it issues it (docs/provider-a.md#issue-date), so one that was sent around midnight can
 * have the day before or after ours.
 */
const MARGIN_DAYS = 1;
const DAY_MS = 86_400_000;

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

async function listDocuments(
  session: Session,
  { from, through, page }: ListQuery,
): Promise<ListOutcome<ListedDocument>> {
  const number = page === null ? 1 : Number(page);
  const query = new URLSearchParams({
    page: String(number),
    start_date: dayAfter(from, -MARGIN_DAYS),
    end_date: dayAfter(through, MARGIN_DAYS),
  });
  const path = `/invoices/find_all_invoices?${query.toString()}`;
  const reply = await session.send("lookup", session.call.evidence, { method: "GET", path });
  if (reply.kind !== "read") return reply;
  const { body } = reply;
  const refusal = readRefusal(body);
  const invoices = isObject(body) ? body["invoices"] : undefined;
  const pages = isObject(body) ? body["total_pages"] : undefined;
  const isReadable = refusal === undefined && reply.status < 300;
  if (!isReadable || !Array.isArray(invoices) || typeof pages !== "number") return unclear(refusal);
  const items = invoices.filter(isObject).flatMap(readListed);
  return { kind: "page", items, next: number < pages ? String(number + 1) : null };
}

/** None for a draft, and for an invoice whose MARK the authority has not given yet. */
function readListed(invoice: JsonObject): ListedDocument[] {
  const mark = textOf(invoice["my_data_mark"]);
  if (mark === undefined || !MARK_FORM.test(mark)) return [];
  const reference = textOf(invoice["external_id"]);
  const cents = (name: string) => centsOf(invoice[name]) ?? null;
  return [
    {
      mark,
      uid: textOf(invoice["my_data_uid"])?.toUpperCase() ?? null,
      reference: reference ?? null,
      issueDate: dayOf(textOf(invoice["issued_at"])),
      type: textOf(invoice["invoice_type_code"]) ?? null,
      series: textOf(invoice["series"]) ?? null,
      number: textOf(invoice["num"]) ?? null,
      totals: {
        net: cents("net_total_amount"),
        vat: cents("vat_total_amount"),
        gross: cents("total_amount"),
      },
      isCancelled: textOf(invoice["cancelled_by_mark"]) !== undefined,
    },
  ];
}

/** `02-11-2026` and `2026-11-02T…` as `2026-11-02`; null for anything else. */
function dayOf(text: string | undefined): string | null {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text ?? "") ?? [];
  if (day !== undefined) return `${year}-${month}-${day}`;
  return /^\d{4}-\d{2}-\d{2}/.exec(text ?? "")?.[0] ?? null;
}
