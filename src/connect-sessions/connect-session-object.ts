/** The connect session in the API and in its event, without its link. */
import * as v from "valibot";
import type { ConnectSessionRow } from "../../storage/merchants/connect-sessions.ts";
import { component, described } from "../foundation/described.ts";
import { CreatedField, idOf, InstantText, objectName, ProviderField } from "../foundation/wire.ts";

export const ConnectSessionObjectSchema = component(
  "ConnectSession",
  "A link with which a merchant connects itself to a provider. The link itself is shown only when it is created.",
  v.strictObject({
    id: idOf("cs"),
    object: objectName("connect_session"),
    merchant: idOf("mer"),
    provider: described(v.nullable(ProviderField), "The provider of the link; null if the merchant chooses."),
    expires_at: described(InstantText, "When the link stops working, in UTC: 30 minutes after it was made."),
    completed_at: described(v.nullable(InstantText), "When the merchant connected, in UTC; null until then."),
    connection: described(
      v.nullable(idOf("con")),
      "The id of the connection that was made; null until then.",
    ),
    created: CreatedField,
  }),
);

/** The response to its creation, which alone has the link. */
export const NewConnectSessionSchema = component(
  "NewConnectSession",
  "A new connect session, with its link.",
  v.strictObject({
    ...ConnectSessionObjectSchema.entries,
    url: described(
      v.pipe(v.string(), v.url()),
      "The link to give to the merchant. Only this response has it.",
    ),
  }),
);

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
