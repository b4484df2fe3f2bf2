/** Throws on calls that no caller may make: a live document, or one without the identifier it is filed under. */
import type { CallContext, OutgoingDocument, SentDocument } from "../../domain/provider-adapter.ts";

export function assertTest({ mode }: CallContext): void {
  if (mode !== "test") throw new Error("A live document never reaches the sandbox");
}

export function uidOf({ id, uid }: OutgoingDocument): string {
  if (uid === null) throw new Error(`The document ${id} has no uid to be filed under`);
  return uid;
}

export function markOf({ id, mark }: SentDocument): string {
  if (mark === null) throw new Error(`The document ${id} has no MARK to be cancelled`);
  return mark;
}
