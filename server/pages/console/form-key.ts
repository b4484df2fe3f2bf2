/** The idempotency key that a form carries from when it is first shown (docs/contract.md#console-forms). */
import { randomUUID } from "node:crypto";

export function newFormKey(): string {
  return randomUUID();
}

/** The key of a submitted form. */
export function readFormKey(form: ReadonlyMap<string, string>): string {
  const key = form.get("key") ?? "";
  return /^[0-9a-f-]{36}$/.test(key) ? key : newFormKey();
}
