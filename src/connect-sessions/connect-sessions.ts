/** Connect sessions: made and looked at (decisions 9). What happens behind their links is in `link.ts`. */
import { hash, randomBytes } from "node:crypto";
import * as v from "valibot";
import {
  type ConnectSessionRow,
  findConnectSessionRow,
  insertConnectSession,
} from "../../storage/connect-sessions.ts";
import { isId } from "../../storage/ids.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import type { Cause, Context, Created, IdempotencyClaim } from "../journal/context.ts";
import { createOnce } from "../journal/create-once.ts";
import { AppError } from "../foundation/errors.ts";
import { requireMerchantRow } from "../merchants/merchants.ts";
import { characters } from "../foundation/field-schemas.ts";
import { rule } from "../foundation/rules.ts";
import { parseWith } from "../foundation/validation.ts";
import { buildConnectSessionObject, type ConnectSessionObject } from "./connect-session-object.ts";

/** spec, Limits: the link is valid for 30 minutes. */
const LIFETIME_MS = 30 * 60 * 1000;
/** decisions 9. */
const TOKEN_BYTES = 32;
const URL_LENGTH_MAX = 2048;

/** As URL writes them, whatever way they were given: `0x7f.1` is 127.0.0.1. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Only what a browser may safely be led to: no `javascript:`, no credentials in it, nothing in clear but on this machine. */
function isWebAddress(text: string): boolean {
  // A URL is read without the line breaks in it, and would be shown with them.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}

export const CreateConnectSessionSchema = v.strictObject({
  provider: v.optional(v.picklist(CONNECTABLE_PROVIDERS)),
  return_url: v.optional(
    v.pipe(
      characters(1, URL_LENGTH_MAX),
      rule(isWebAddress, {
        en: "must be an https address, or http on the loopback (http://localhost:3000)",
        el: "πρέπει να είναι διεύθυνση https, ή http στον ίδιο υπολογιστή (http://localhost:3000)",
      }),
      v.metadata({ jsonSchema: { format: "uri" } }),
    ),
  ),
});

/** What a link's token is known by. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Makes a link for a merchant. The answer has `url`, this once: only the token's hash is kept, and what the idempotency key
 * remembers is sealed. Throws `validation_failed`, `not_supported`, `not_found`, or what the key makes of a repetition.
 */
export async function createConnectSession(
  context: Context,
  merchantId: string,
  body: unknown,
  cause: Cause,
  claim?: IdempotencyClaim,
): Promise<Created> {
  const { provider, return_url: returnUrl } = parseWith(CreateConnectSessionSchema, body, "");
  if (provider !== undefined) context.providers.get(provider);
  return context.store.write(async (trx) => {
    await requireMerchantRow(trx, merchantId);
    return createOnce(trx, context.store.cipher, cause.mode, claim, async () => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const row: ConnectSessionRow = {
        id: trx.newId("cs"),
        merchant_id: merchantId,
        mode: cause.mode,
        provider: provider ?? null,
        return_url: returnUrl ?? null,
        token_hash: hashToken(token),
        // Whoever opens the link goes by the clock, whatever was recorded before.
        expires_at: new Date(trx.clockMs + LIFETIME_MS).toISOString(),
        refusals: 0,
        completed_at: null,
        connection_id: null,
        created_at: trx.now,
      };
      await insertConnectSession(trx, row);
      const object = { ...buildConnectSessionObject(row), url: `${context.publicUrl()}/connect/${token}` };
      return { id: row.id, json: JSON.stringify(object), eventId: null };
    });
  });
}

/** Throws `not_found`; a session of another mode reads as not there. */
export async function getConnectSession(
  context: Context,
  mode: Mode,
  id: string,
): Promise<ConnectSessionObject> {
  const row = isId(id, "cs") ? await findConnectSessionRow(context.store.read, id) : undefined;
  if (row === undefined || row.mode !== mode)
    throw new AppError("not_found", "There is no such connect session in this mode");
  return buildConnectSessionObject(row);
}
