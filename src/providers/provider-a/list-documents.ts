/** Reads the provider's list of a tenant's invoices, page by page (docs/provider-a.md#invoice-list). */
import { unknown } from "../exchange.ts";
import type { ListedDocument } from "../../domain/provider-documents.ts";
import type { ListOutcome, ListQuery } from "../../domain/provider-adapter.ts";
import { MARK_FORM } from "../../domain/canonical-document.ts";

import { centsOf, errorOf, isObject, type JsonObject, readRefusal, textOf } from "./refusals.ts";
import type { Session } from "./session.ts";

/**
 * The provider dates a document when it issues it (docs/provider-a.md#issue-date), so one that was sent around midnight can
 * have the day before or after ours.
 */
const MARGIN_DAYS = 1;
const DAY_MS = 86_400_000;

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export async function listDocuments(
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
  if (refusal !== undefined) {
    const error = errorOf(refusal, "provider_unavailable", {
      en: "The provider refused to list its invoices",
      el: "Ο πάροχος αρνήθηκε να δείξει τον κατάλογο παραστατικών",
    });
    return { kind: "unknown", error };
  }
  const invoices = isObject(body) ? body["invoices"] : undefined;
  const pages = isObject(body) ? body["total_pages"] : undefined;
  if (reply.status >= 300 || !Array.isArray(invoices) || typeof pages !== "number") {
    return unknown({
      en: "The provider's response is not a readable list of invoices",
      el: "Η απάντηση του παρόχου δεν είναι αναγνώσιμος κατάλογος παραστατικών",
    });
  }
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
