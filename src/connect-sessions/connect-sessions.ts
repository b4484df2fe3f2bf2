/**
 * Describes connect sessions as the API and their event show them, creates them and reads them (docs/contract.md#connect-sessions).
 * connect-link.ts handles their links.
 */
import { requireInMode } from "../foundation/pages.ts";
import { hash, randomBytes } from "node:crypto";
import * as v from "valibot";
import { type ConnectSessionRow, findConnectSessionRow } from "../../storage/merchants/connections.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { requireAdapter } from "../connections/connection-input.ts";
import { createOnce } from "../journal/create-once.ts";
import { component, described } from "../foundation/described.ts";
import { requireMerchantRow } from "../merchants/merchants.ts";
import { characters } from "../foundation/field-schemas.ts";
import { must } from "../foundation/field-checks.ts";
import { parseWith } from "../foundation/validation.ts";
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

const LIFETIME_MS = 30 * 60 * 1000;
const TOKEN_BYTES = 32;
const URL_LENGTH_MAX = 2048;

/** Host names as the URL class normalises them: `0x7f.1` becomes 127.0.0.1. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Only addresses that a browser may safely be sent to: no `javascript:`, no credentials, and plain http only on this
 * machine.
 */
function isWebAddress(text: string): boolean {
  // The URL class ignores line breaks, but they would be shown.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}

export const CreateConnectSessionSchema = component(
  "CreateConnectSession",
  "What the link offers, and where it leads afterwards.",
  v.strictObject({
    provider: v.optional(
      described(
        v.picklist(CONNECTABLE_PROVIDERS),
        "The provider to connect to. Without it the merchant chooses.",
      ),
    ),
    return_url: v.optional(
      described(
        v.pipe(
          characters(1, URL_LENGTH_MAX),
          must(isWebAddress, {
            en: "must be an https address, or http on the loopback (http://localhost:3000)",
            el: "πρέπει να είναι διεύθυνση https, ή http στον ίδιο υπολογιστή (http://localhost:3000)",
          }),
          v.metadata({ jsonSchema: { format: "uri" } }),
        ),
        "The page that the merchant returns to once connected.",
      ),
    ),
  }),
);

export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Creates a link for a merchant. Only this response has the `url`: the database has the hash of its token, and the
 * idempotency record is encrypted. Throws `validation_failed`, `not_found`, or the errors of idempotency.
 */
export async function createConnectSession(
  context: Context,
  merchantId: string,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const { provider, return_url: returnUrl } = parseWith(CreateConnectSessionSchema, body, "");
  if (provider !== undefined) requireAdapter(context.providers, provider);
  return context.store.write(async (trx) => {
    await requireMerchantRow(trx, merchantId);
    return createOnce(trx, cause.mode, use, async () => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const row: ConnectSessionRow = {
        id: trx.newId("cs"),
        merchant_id: merchantId,
        mode: cause.mode,
        provider: provider ?? null,
        return_url: returnUrl ?? null,
        token_hash: hashToken(token),
        // Links expire by the clock, not by the time of events.
        expires_at: new Date(trx.clockMs + LIFETIME_MS).toISOString(),
        refusals: 0,
        completed_at: null,
        connection_id: null,
        created_at: trx.now,
      };
      await trx.insertRows({ connect_sessions: [row] });
      const object = { ...buildConnectSessionObject(row), url: `${context.publicUrl()}/connect/${token}` };
      return { id: row.id, json: JSON.stringify(object), eventId: null };
    });
  });
}

/** Throws `not_found`, also for a session of the other mode. */
export async function getConnectSession(
  context: Context,
  mode: Mode,
  id: string,
): Promise<ConnectSessionObject> {
  const find = (by: { id: string }) => findConnectSessionRow(context.store.read, by);
  return buildConnectSessionObject(await requireInMode("cs", mode, id, find));
}
