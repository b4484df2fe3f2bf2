/** The connect session in the API and in its event, without its link. */
import * as v from "valibot";
import type { ConnectSessionRow } from "../../storage/merchants/connect-sessions.ts";
import { PROVIDERS } from "../../storage/stored-values.ts";
import { idOf, InstantText } from "../foundation/wire.ts";

export const ConnectSessionObjectSchema = v.strictObject({
  id: idOf("cs"),
  object: v.literal("connect_session"),
  merchant: idOf("mer"),
  provider: v.nullable(v.picklist(PROVIDERS)),
  expires_at: InstantText,
  completed_at: v.nullable(InstantText),
  connection: v.nullable(idOf("con")),
  created: InstantText,
});

/** The response to its creation, which alone has the link. */
export const NewConnectSessionSchema = v.strictObject({
  ...ConnectSessionObjectSchema.entries,
  url: v.pipe(v.string(), v.url()),
});

export type ConnectSessionObject = v.InferOutput<typeof ConnectSessionObjectSchema>;

export function buildConnectSessionObject(row: ConnectSessionRow): ConnectSessionObject {
  return {
    id: row.id,
    object: "connect_session",
    merchant: row.merchant_id,
    provider: row.provider,
    expires_at: row.expires_at,
    completed_at: row.completed_at,
    connection: row.connection_id,
    created: row.created_at,
  };
}
