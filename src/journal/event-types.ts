/** The event types and their meanings (docs/contract.md#event-types). */
import * as v from "valibot";
import { EVENT_TYPES, type EventType } from "../../storage/stored-values.ts";
import { described } from "../foundation/described.ts";

export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  "document.created": "The service accepted a document.",
  "document.issued": "The document has a MARK.",
  "document.rejected": "The provider or the tax authority refused the document.",
  "document.failed": "The document could not be delivered to the provider.",
  "document.retried": "A failed document was queued to be sent again.",
  "document.cancelled": "An issued document was cancelled.",
  "merchant.created": "A merchant was created.",
  "merchant.updated": "A merchant was changed, archived or unarchived.",
  "connection.created": "A merchant was connected to a provider.",
  "connection.verified": "The provider accepted the credentials of a connection.",
  "connection.invalid": "The provider refused the credentials of a connection.",
  "connection.disconnected": "A connection was disconnected.",
  "connect_session.completed": "A merchant connected itself through a connect link.",
  "webhook_endpoint.disabled": "The service disabled a webhook endpoint whose deliveries failed for days.",
};

export const EventTypeField = described(
  v.picklist(EVENT_TYPES),
  "What happened. Ignore types that you do not know: new ones may be added.",
);
