/** The schema of an event, the same in lists and in deliveries (docs/contract.md#events). */
import * as v from "valibot";
import { ConnectSessionObjectSchema } from "../connect-sessions/connect-sessions.ts";
import { component, described } from "../foundation/described.ts";
import { CreatedField, idOf, LiveModeField, objectName } from "../foundation/wire.ts";
import { ConnectionObjectSchema } from "../issuing/connection-status.ts";
import { DocumentObjectSchema } from "../journal/document-object.ts";
import { EventTypeField } from "../journal/event-object.ts";
import { MerchantObjectSchema } from "../merchants/merchant-object.ts";
import { WebhookEndpointObjectSchema } from "./endpoint-object.ts";

const SnapshotSchema = v.variant("object", [
  DocumentObjectSchema,
  MerchantObjectSchema,
  ConnectionObjectSchema,
  ConnectSessionObjectSchema,
  WebhookEndpointObjectSchema,
]);

/** The kind of snapshot by the beginning of the event's type, up to the dot. */
export const SNAPSHOT_SCHEMAS: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  SnapshotSchema.options.map((schema) => [schema.entries.object.literal, schema]),
);

export const EventObjectSchema = component(
  "Event",
  "A state change, exactly as webhooks deliver it.",
  v.strictObject({
    id: described(
      idOf("evt"),
      "The id of the event. It may arrive more than once: handle each id only once.",
    ),
    object: objectName("event"),
    type: EventTypeField,
    created: described(CreatedField, "When it happened, in UTC."),
    api_version: described(v.string(), "The version of the API in which `data.object` is written."),
    livemode: LiveModeField,
    data: described(
      v.strictObject({
        object: described(
          SnapshotSchema,
          "The object right after the event. Its own `object` field tells which kind it is, and the beginning of the event's type does too.",
        ),
        previous_attributes: v.optional(
          described(
            v.record(v.string(), v.unknown()),
            "The values that changed fields had before the event, under the same names. Absent if nothing changed.",
          ),
        ),
      }),
      "The object that the event is about.",
    ),
    request: described(
      v.nullable(
        v.strictObject({
          id: described(v.string(), "Its `x-request-id`."),
          idempotency_key: described(v.nullable(v.string()), "Its `Idempotency-Key`; null without one."),
        }),
      ),
      "The API request that caused the event; null if the service did, for example when it issues in the background.",
    ),
  }),
);
