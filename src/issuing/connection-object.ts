/** The connection object of the API, which never contains credentials (docs/contract.md#connections). */
import * as v from "valibot";
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import { CONNECTION_STATUSES } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { wireError } from "../foundation/stored-texts.ts";
import {
  CreatedField,
  ErrorObjectSchema,
  idOf,
  InstantText,
  ModeField,
  objectName,
  ProviderField,
} from "../foundation/wire.ts";

export const ConnectionObjectSchema = component(
  "Connection",
  "A merchant's credentials for one provider in one mode. The credentials themselves are never returned.",
  v.strictObject({
    id: idOf("con"),
    object: objectName("connection"),
    merchant: idOf("mer"),
    provider: ProviderField,
    mode: ModeField,
    status: described(
      v.picklist(CONNECTION_STATUSES),
      "`active`: documents can be sent through it; `invalid`: the provider refused the credentials, correct them and verify again; `disconnected`: no longer used, its credentials are deleted 30 days later.",
    ),
    verified_at: described(
      v.nullable(InstantText),
      "When the provider last accepted the credentials, in UTC; null until then.",
    ),
    last_error: described(
      v.nullable(ErrorObjectSchema),
      "Why the provider last refused the credentials; null if it did not.",
    ),
    created: CreatedField,
  }),
);

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
