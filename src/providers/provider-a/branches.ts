/** Finds the provider's id for the supplier's branch. The head office is not sent. */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  CredentialsRefusedOutcome,
  NotSentOutcome,
  OutgoingDocument,
  RejectedOutcome,
} from "../../domain/provider-adapter.ts";
import { beforeSending } from "./answers.ts";
import { unlisted } from "./books.ts";
import { isObject, listOf, textOf } from "./fields.ts";
import { readRefusal } from "./refusals.ts";
import type { Sessions } from "./session.ts";

/** Ids by branch number; undefined if the reply is not a list. Codes come as numbers or text, such as `002`. */
function readBranches(body: unknown): Map<number, string> | undefined {
  const entries = listOf(body);
  if (entries === undefined) return undefined;
  const branches = new Map<number, string>();
  for (const entry of entries) {
    const id = isObject(entry) ? textOf(entry["id"]) : undefined;
    const code = isObject(entry) ? textOf(entry["code"]) : undefined;
    if (id === undefined || code === undefined || !/^[0-9]{1,9}$/.test(code)) continue;
    if (!branches.has(Number(code))) branches.set(Number(code), id);
  }
  return branches;
}

/** Branches are not created here: they are registered with the authority, and we do not know their addresses. */
export async function findBranch(
  sessions: Sessions,
  call: CallContext,
  document: OutgoingDocument,
): Promise<
  { kind: "branch"; id: string | null } | RejectedOutcome | NotSentOutcome | CredentialsRefusedOutcome
> {
  const { branch } = document.input.supplier;
  if (branch === 0) return { kind: "branch", id: null };
  const account = sessions.account(call);
  const known = account.branches.get(branch);
  if (known !== undefined) return { kind: "branch", id: known };
  const reply = await sessions.ask(call, "issue", { method: "GET", path: "/branches" });
  if (reply.kind !== "read") return beforeSending(reply);
  const branches = reply.status < 300 ? readBranches(reply.body) : undefined;
  if (branches === undefined)
    return unlisted(readRefusal(reply.body), { en: "branches", el: "τις εγκαταστάσεις του" });
  for (const [number, id] of branches) account.branches.set(number, id);
  const id = branches.get(branch);
  if (id !== undefined) return { kind: "branch", id };
  const message = {
    en: "supplier.branch: the provider has no branch with this number; add it there, then issue the document again",
    el: "supplier.branch: ο πάροχος δεν έχει εγκατάσταση με αυτόν τον αριθμό· προσθέστε την εκεί και εκδώστε ξανά το παραστατικό",
  };
  return { kind: "rejected", error: buildErrorObject("validation_failed", message) };
}
