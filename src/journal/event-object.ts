/** The event object, the same in lists and in webhook deliveries (docs/contract.md#events). */
import type { EventRow } from "../../storage/journal/events.ts";
import type { EventType } from "../../storage/stored-values.ts";
import { readJson, readJsonOrNull } from "../foundation/json.ts";
import { API_VERSION } from "../foundation/wire.ts";

export interface EventObject {
  id: string;
  object: "event";
  type: EventType;
  created: string;
  api_version: string;
  livemode: boolean;
  data: {
    /** The object right after the event. src/webhooks/event-schema.ts describes the kinds. */
    object: { id: string; object: string };
    previous_attributes?: Record<string, unknown>;
  };
  request: { id: string; idempotency_key: string | null } | null;
}

export function buildEventObject(row: EventRow): EventObject {
  const previous = readJsonOrNull<Record<string, unknown>>(row.previous_json);
  return {
    id: row.id,
    object: "event",
    type: row.type,
    created: row.created_at,
    api_version: API_VERSION,
    livemode: row.mode === "live",
    data: {
      object: readJson(row.object_json),
      ...(previous === null ? {} : { previous_attributes: previous }),
    },
    request: row.request_id === null ? null : { id: row.request_id, idempotency_key: row.idempotency_key },
  };
}

/** The same as `JSON.stringify(buildEventObject(row))`, without parsing the snapshot, which is stored as JSON. */
export function eventText(row: EventRow): string {
  const { id, type, created_at, mode, request_id, idempotency_key } = row;
  const head = { id, object: "event", type, created: created_at, api_version: API_VERSION };
  const previous = row.previous_json === null ? "" : `,"previous_attributes":${row.previous_json}`;
  const request = request_id === null ? null : { id: request_id, idempotency_key };
  const data = `{"object":${row.object_json}${previous}}`;
  const opening = JSON.stringify({ ...head, livemode: mode === "live" }).slice(0, -1);
  return `${opening},"data":${data},"request":${JSON.stringify(request)}}`;
}
