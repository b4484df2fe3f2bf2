/** Sends requests as an account: with its token, which is renewed before it ends or once it is refused. */
import type { CallOperation, Mode } from "../../../storage/stored-values.ts";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import { type Account, createAccounts } from "./account.ts";
import { isUnauthorised, readAnswer, type Reply } from "./answers.ts";
import { type ClientOptions, type ClientRequest, createClient } from "./client.ts";
import { dropToken, getToken } from "./tokens.ts";

export interface Sessions {
  /** The address of the API in `mode`, without a slash at the end. */
  baseUrl(mode: Mode): string;
  account(call: CallContext): Account;
  /**
   * One exchange as the account of `call`, recorded on `recorder`; logs in first if there is no token. If the token
   * is refused (401), which means that the request was not processed, it is repeated once with a new token and a log
   * entry of its own.
   */
  send(
    call: CallContext,
    operation: CallOperation,
    recorder: CallRecorder,
    request: ClientRequest,
  ): Promise<Reply>;
  /** The same, with its own log entry. */
  ask(call: CallContext, operation: CallOperation, request: ClientRequest): Promise<Reply>;
}

export function createSessions(options: ClientOptions): Sessions {
  const client = createClient(options);
  const account = createAccounts();

  async function send(
    call: CallContext,
    operation: CallOperation,
    recorder: CallRecorder | null,
    request: ClientRequest,
  ): Promise<Reply> {
    const first = await getToken(client, account(call), call, operation);
    if (first.kind !== "token") return first;
    const firstRecorder = recorder ?? (await call.begin(operation, "operation"));
    const answer = await client.send(call, firstRecorder, first.token, request);
    if (!isUnauthorised(answer)) return readAnswer(answer, call.nowMs());
    dropToken(account(call), first.token);
    const second = await getToken(client, account(call), call, operation);
    if (second.kind !== "token") return second;
    const secondRecorder = await call.begin(operation, "operation");
    const again = await client.send(call, secondRecorder, second.token, request);
    if (isUnauthorised(again)) dropToken(account(call), second.token);
    return readAnswer(again, call.nowMs());
  }

  return {
    baseUrl: (mode) => client.baseUrl(mode),
    account,
    send,
    ask: (call, operation, request) => send(call, operation, null, request),
  };
}
