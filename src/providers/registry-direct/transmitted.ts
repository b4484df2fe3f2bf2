/** Lists what the account has transmitted, page by page: RequestTransmittedDocs (docs/authority.md#listings). */
import { unknown } from "../exchange.ts";
import type {
  CallContext,
  CallRecorder,
  CredentialsRefusedOutcome,
  NotSentOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import { readResponses, readTransmitted, type TransmittedInvoice, type TransmittedPage } from "./answers.ts";
import type { Client } from "./client.ts";
import { interpretRefusal } from "./outcome.ts";
import type { Reply } from "./status.ts";
import type { XmlElement } from "./xml.ts";

/** What to list. It always concerns the account's own tax number, which the query does not name. */
export interface TransmittedQuery {
  /** Only MARKs above this one. */
  above: string;
  /** Only MARKs up to and including this one. */
  upTo?: string;
  /** Issue date, `YYYY-MM-DD`. */
  day?: string;
  /** The authority's type. */
  type?: string;
}

export interface Listed {
  kind: "listed";
  invoices: readonly TransmittedInvoice[];
  /** MARK → the MARK of its cancellation. */
  cancellations: ReadonlyMap<string, string>;
}

/** A complete listing, or why there is none. In half a listing the missing documents would look absent. */
export type Listing = Listed | NotSentOutcome | UnknownOutcome | CredentialsRefusedOutcome;

/** A day of one type has fewer pages; a listing longer than this never ends. */
export const PAGES_MAX = 200;

/**
 * Dates are `dd/MM/yyyy` here and only here (docs/authority.md#query-dates): in another format they find nothing, without
 * an error, and documents would look unregistered.
 */
export function dateParameters(days: { from: string; through: string }): Record<string, string> {
  const form = (day: string) => day.split("-").reverse().join("/");
  return { dateFrom: form(days.from), dateTo: form(days.through) };
}

/** The query parameters. */
function parametersOf(query: TransmittedQuery): Record<string, string> {
  const { above, upTo, day, type } = query;
  return {
    mark: above,
    ...(upTo === undefined ? {} : { maxMark: upTo }),
    ...(day === undefined ? {} : dateParameters({ from: day, through: day })),
    ...(type === undefined ? {} : { invType: type }),
  };
}

/** Reads every page. The first is recorded on `recorder`, each further one as its own call. */
export async function listTransmitted(
  client: Client,
  call: CallContext,
  recorder: CallRecorder,
  query: TransmittedQuery,
): Promise<Listing> {
  const parameters = parametersOf(query);
  const invoices: TransmittedInvoice[] = [];
  const cancellations = new Map<string, string>();
  const seen = new Set<string>();
  let token: TransmittedPage["next"] = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await readPage(
      await client.send(call, token === null ? recorder : await call.begin("status", "operation"), {
        method: "RequestTransmittedDocs",
        query:
          token === null
            ? parameters
            : { ...parameters, nextPartitionKey: token.partitionKey, nextRowKey: token.rowKey },
      }),
    );
    if ("kind" in page) return page;
    for (const invoice of page.invoices) invoices.push(invoice);
    for (const [mark, cancellationMark] of page.cancellations) cancellations.set(mark, cancellationMark);
    if (page.next === null) return { kind: "listed", invoices, cancellations };
    token = page.next;
    const name = JSON.stringify(token);
    if (seen.has(name))
      return unknown({
        en: "The tax authority's listing repeats a page",
        el: "Ο κατάλογος της ΑΑΔΕ επαναλαμβάνει σελίδα",
      });
    seen.add(name);
  }
  return unknown({
    en: `The tax authority's listing does not end within ${PAGES_MAX} pages`,
    el: `Ο κατάλογος της ΑΑΔΕ δεν τελειώνει σε ${PAGES_MAX} σελίδες`,
  });
}

function readPage(reply: Reply): Promise<TransmittedPage | Exclude<Listing, Listed>> {
  return readListReply(reply, readTransmitted);
}

/** The page that `read` finds in the reply, or why there is none. */
export async function readListReply<Page>(
  reply: Reply,
  read: (root: XmlElement) => Promise<Page | undefined>,
): Promise<Page | Exclude<Listing, Listed>> {
  // A listing registers nothing; only this request is refused.
  if (reply.kind === "message_refused") return { kind: "unknown", error: reply.error };
  if (reply.kind !== "read") return reply;
  const page = await read(reply.root);
  if (page !== undefined) return page;
  // Refused like a send: with a response, in an HTTP 200.
  const [refusal] = readResponses(reply.root) ?? [];
  const failure = refusal === undefined ? undefined : interpretRefusal(refusal, "listing");
  if (failure === undefined)
    return unknown({
      en: "The tax authority's response is not a readable listing",
      el: "Η απάντηση της ΑΑΔΕ δεν είναι αναγνώσιμος κατάλογος",
    });
  // A refused listing leaves open what is registered.
  return failure.kind === "rejected" ? { kind: "unknown", error: failure.error } : failure;
}
