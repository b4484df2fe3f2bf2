/** Gets a token for an account: valid for 24 hours and kept in memory only (docs/provider-a.md#token-lifetime). */
import type { CallOperation } from "../../../storage/stored-values.ts";
import type { CallContext } from "../../domain/provider-adapter.ts";
import { type Account, once } from "./account.ts";
import { type LoginReading, readLogin } from "./answers.ts";
import type { Client } from "./client.ts";

/** An hour before the token ends, so that no request with it arrives too late. */
const TOKEN_MS = 23 * 60 * 60 * 1000;

/**
 * The account's token, or one from a new login. Marks it as a secret of `call` even if another call logged in, so that
 * it is removed from this call's log too.
 */
export async function getToken(
  client: Client,
  account: Account,
  call: CallContext,
  operation: CallOperation,
): Promise<LoginReading> {
  const known = account.token;
  const ageMs = known === undefined ? Number.NaN : call.nowMs() - known.sinceMs;
  if (known !== undefined && ageMs >= 0 && ageMs < TOKEN_MS) {
    call.secret(known.value);
    return { kind: "token", token: known.value };
  }
  const login = await once(account, "login", async () => {
    const sinceMs = call.nowMs();
    const reading = await logIn(client, call, operation);
    account.token = reading.kind === "token" ? { value: reading.token, sinceMs } : undefined;
    return reading;
  });
  if (login.kind === "token") call.secret(login.token);
  return login;
}

async function logIn(client: Client, call: CallContext, operation: CallOperation): Promise<LoginReading> {
  const recorder = await call.begin(operation, "auth");
  const answer = await client.logIn(call, recorder);
  return readLogin(answer, call.nowMs());
}

/** Removes the refused `token`, unless another call has already replaced it. */
export function dropToken(account: Account, token: string): void {
  if (account.token?.value === token) account.token = undefined;
}
