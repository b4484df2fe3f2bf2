/** The connection object of the API, which never contains credentials (docs/contract.md#connections). */
import * as v from "valibot";
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import { CONNECTION_STATUSES, MODES, PROVIDERS } from "../../storage/stored-values.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { wireError } from "../foundation/stored-texts.ts";
import { ErrorObjectSchema, idOf, InstantText } from "../foundation/wire.ts";

export const ConnectionObjectSchema = v.strictObject({
  id: idOf("con"),
  object: v.literal("connection"),
  merchant: idOf("mer"),
  provider: v.picklist(PROVIDERS),
  mode: v.picklist(MODES),
  status: v.picklist(CONNECTION_STATUSES),
  verified_at: v.nullable(InstantText),
  last_error: v.nullable(ErrorObjectSchema),
  created: InstantText,
});

export type ConnectionObject = v.InferOutput<typeof ConnectionObjectSchema>;

export function buildConnectionObject(row: ConnectionRow): ConnectionObject {
  return {
    id: row.id,
    object: "connection",
    merchant: row.merchant_id,
    provider: row.provider,
    mode: row.mode,
    status: row.status,
    verified_at: row.verified_at,
    last_error: row.last_error_json === null ? null : wireError(readJson<ErrorObject>(row.last_error_json)),
    created: row.created_at,
  };
}
