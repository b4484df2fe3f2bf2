/** Lists the deliveries of an endpoint or a document, with their attempts. */
import { listDeliveriesOfDocument, listDeliveryRows } from "../../storage/webhooks/deliveries.ts";
import type { DeliveryStatus } from "../../storage/database/schema.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import type { Page, PageQuery } from "../foundation/pages.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { pageOf, pageRequest } from "../foundation/pages.ts";
import { buildDeliveryObject } from "./attempts.ts";
import { requireEndpointRow } from "./endpoints.ts";
import type { WebhookDeliveryObject } from "./endpoint-object.ts";

/** Throws `not_found` if the endpoint does not exist. */
export async function listWebhookDeliveries(
  context: Context,
  mode: Mode,
  endpointId: string,
  query: PageQuery & { status?: DeliveryStatus | undefined },
): Promise<Page<WebhookDeliveryObject>> {
  const { read, cipher } = context.store;
  await requireEndpointRow(read, mode, endpointId);
  const page = await listDeliveryRows(read, { endpointId, status: query.status }, pageRequest(query, "whd"));
  return pageOf(page, query, (row) => buildDeliveryObject(cipher, row));
}

/** The newest deliveries of a document's events, at most `limit`. Throws `not_found` if the document does not exist. */
export async function listDocumentDeliveries(
  context: Context,
  mode: Mode,
  documentId: string,
  limit: number,
): Promise<WebhookDeliveryObject[]> {
  const { read, cipher } = context.store;
  await requireDocumentRow(context, mode, documentId);
  const rows = await listDeliveriesOfDocument(read, documentId, limit);
  return rows.map((row) => buildDeliveryObject(cipher, row));
}
