/**
 * The idempotency key that a form carries from when it is first shown (docs/contract.md#console-forms). It is in the address of the
 * form's page, so that a reload and the back button show the form with the same key.
 */
import { randomUUID } from "node:crypto";
import { correctedUnder } from "../../../src/documents/repeat.ts";
import type { Reply, Visit, Visitor } from "./visit.ts";

const KEY_FORM = /^[0-9a-f-]{36}$/;

export function newFormKey(): string {
  return randomUUID();
}

/** The key of a submitted form: its own, or that of the document which it corrects. */
export function readFormKey(form: Visitor["form"]): string {
  const key = form.get("key") ?? "";
  return KEY_FORM.test(key) || correctedUnder(key) !== undefined ? key : newFormKey();
}

/** A page whose form has the key of its address. An address without a key is replaced by one with a new key. */
export function withKey(
  show: (visit: Visit, key: string) => Promise<Reply>,
): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const key = visit.query.get("key") ?? "";
    if (KEY_FORM.test(key)) return show(visit, key);
    const query = new URLSearchParams([...visit.query, ["key", newFormKey()]]);
    return { kind: "redirect", to: `${visit.here.split("?", 1)[0]}?${query}` };
  };
}
