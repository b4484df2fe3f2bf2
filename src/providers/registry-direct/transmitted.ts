/** RequestTransmittedDocs: what the account has transmitted, page by page (mydata facts, parts 1.3 and 6). */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  CallRecorder,
  CredentialsRefusedOutcome,
  NotSentOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import { readResponses, readTransmitted, type TransmittedInvoice, type TransmittedPage } from "./answers.ts";
import type { Client } from "./client.ts";
import { judgeRefusal } from "./refusal.ts";
import type { Reply } from "./status.ts";

/** What a listing asks for. The account's own tax number is meant: it names none. */
export interface TransmittedQuery {
  /** Only MARKs above this one. */
  above: string;
  /** And up to this one. */
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

/** A listing whole, or why there is none: half a one would make what is missing in it look absent. */
export type Listing = Listed | NotSentOutcome | UnknownOutcome | CredentialsRefusedOutcome;

/** A day of one type has fewer: a listing that does not end by then does not end. */
export const PAGES_MAX = 200;

/**
 * The query's parameters. Dates are `dd/MM/yyyy` here, and only here: in another form they raise no error and find nothing,
 * which would read as never registered.
 */
function parametersOf(query: TransmittedQuery): Record<string, string> {
  const { above, upTo, day, type } = query;
  const date = day?.split("-").reverse().join("/");
  return {
    mark: above,
    ...(upTo === undefined ? {} : { maxMark: upTo }),
    ...(date === undefined ? {} : { dateFrom: date, dateTo: date }),
    ...(type === undefined ? {} : { invType: type }),
  };
}

/** Reads every page. The first is recorded on `recorder`, each further one as a call of its own. */
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
    const page = readPage(
      await client.send(call, token === null ? recorder : await call.begin("status", "operation"), {
        method: "RequestTransmittedDocs",
        query:
          token === null
            ? parameters
            : { ...parameters, nextPartitionKey: token.partitionKey, nextRowKey: token.rowKey },
      }),
    );
    if ("kind" in page) return page;
    invoices.push(...page.invoices);
    for (const [mark, cancellationMark] of page.cancellations) cancellations.set(mark, cancellationMark);
    if (page.next === null) return { kind: "listed", invoices, cancellations };
    token = page.next;
    const name = JSON.stringify(token);
    if (seen.has(name)) return unknown("The tax authority's listing comes back to a page that was read");
    seen.add(name);
  }
  return unknown(`The tax authority's listing does not end within ${PAGES_MAX} pages`);
}

function readPage(reply: Reply): TransmittedPage | Exclude<Listing, Listed> {
  // A listing registers nothing, sent or not; what is refused here is this one question.
  if (reply.kind === "message_refused") return { kind: "unknown", error: reply.error };
  if (reply.kind !== "read") return reply;
  const page = readTransmitted(reply.root);
  if (page !== undefined) return page;
  // Refused as a send is: with a response, in an HTTP 200.
  const [refusal] = readResponses(reply.root) ?? [];
  const failure = refusal === undefined ? undefined : judgeRefusal(refusal, "listing");
  if (failure === undefined) return unknown("The tax authority's answer is no listing that can be read");
  // A listing is no document: that it was refused leaves open what is registered.
  return failure.kind === "rejected" ? { kind: "unknown", error: failure.error } : failure;
}

function unknown(message: string): UnknownOutcome {
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
}
