/** The connection as the specification writes it: never with its credentials. */
import type { ConnectionRow } from "../../storage/connections.ts";
import type { ConnectionStatus, Mode, Provider } from "../../storage/schema.ts";
import type { ErrorObject } from "../errors.ts";
import { readJsonOrNull } from "../json.ts";

export interface ConnectionObject {
  id: string;
  object: "connection";
  merchant: string;
  provider: Provider;
  mode: Mode;
  status: ConnectionStatus;
  verified_at: string | null;
  last_error: ErrorObject | null;
  created: string;
}

export function buildConnectionObject(row: ConnectionRow): ConnectionObject {
  return {
    id: row.id,
    object: "connection",
    merchant: row.merchant_id,
    provider: row.provider,
    mode: row.mode,
    status: row.status,
    verified_at: row.verified_at,
    last_error: readJsonOrNull<ErrorObject>(row.last_error_json),
    created: row.created_at,
  };
}
