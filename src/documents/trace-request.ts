/** Collects everything about an API request: the document it returned, and that document's provider calls and events. */
import { isId } from "../../storage/database/ids.ts";
import { getDocument } from "./list-documents.ts";
import type { Mode } from "../domain/vocabulary.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { type EventObject, listEvents } from "../journal/event-object.ts";
import { listProviderCalls, getRequest, listRequests } from "../logs/read-logs.ts";
import type { ApiRequestDetail, ProviderCallObject } from "../logs/log-objects.ts";

/** Every list is oldest first. */
export interface Trace {
  requests: ApiRequestDetail[];
  document: DocumentObject | null;
  provider_calls: ProviderCallObject[];
  events: EventObject[];
  /** A sentence for each part that was left out. */
  omissions: Text[];
}

/** Limits, because clients may reuse an x-request-id, and a document may be polled for weeks. */
const REQUESTS_MAX = 20;
const ENTRIES_MAX = 100;

/** Throws `not_found`. */
export async function traceRequest(context: Context, mode: Mode, name: string): Promise<Trace> {
  const omissions: Text[] = [];
  const requests = await findRequests(context, mode, name, omissions);
  const [documentId, ...others] = new Set(requests.flatMap(({ document }) => document ?? []));
  if (others.length > 0) {
    const ids = others.join(", ");
    omissions.push({
      en: `The requests also returned other documents: ${ids}`,
      el: `Τα αιτήματα επέστρεψαν και άλλα παραστατικά: ${ids}`,
      next: { operation: "getDocument" },
    });
  }
  if (documentId === undefined)
    return { requests, document: null, provider_calls: [], events: [], omissions };
  const query = { document: documentId, limit: ENTRIES_MAX };
  const document = await getDocument(context, mode, documentId);
  const calls = await listProviderCalls(context, mode, query);
  const events = await listEvents(context, mode, query);
  if (calls.has_more || events.has_more)
    omissions.push({
      en: "Earlier provider calls or events are omitted",
      el: "Παλαιότερες κλήσεις ή συμβάντα παραλείπονται",
      next: { operation: "listEvents", id: documentId },
    });
  return {
    requests,
    document,
    provider_calls: calls.data.toReversed(),
    events: events.data.toReversed(),
    omissions,
  };
}

/** By log id, or every request with an x-request-id. An MCP tool call logs two requests under one x-request-id. */
async function findRequests(
  context: Context,
  mode: Mode,
  name: string,
  omissions: Text[],
): Promise<ApiRequestDetail[]> {
  if (isId(name, "rql")) return [await getRequest(context, mode, name)];
  const page = await listRequests(context, mode, { request_id: name, limit: REQUESTS_MAX });
  if (page.data.length === 0)
    throw new AppError("not_found", {
      en: "There is no request with this id or x-request-id in this mode",
      el: "Δεν υπάρχει αίτημα με αυτό το id ή x-request-id σε αυτή τη λειτουργία",
    });
  if (page.has_more)
    omissions.push({
      en: "Earlier requests with this x-request-id are omitted",
      el: "Παλαιότερα αιτήματα με αυτό το x-request-id παραλείπονται",
      next: { operation: "listRequests" },
    });
  const details: ApiRequestDetail[] = [];
  for (const { id } of page.data.toReversed()) details.push(await getRequest(context, mode, id));
  return details;
}
