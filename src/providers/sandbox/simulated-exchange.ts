/** Records the requests and responses that the sandbox simulates, as if they had gone over the network. */
import type { Store } from "../../../storage/database/store.ts";
import type { CallContext, CallRecorder, OutgoingDocument } from "../../domain/provider-adapter.ts";

export interface SandboxOptions {
  /** Has the ledger. */
  store: Store;
  /** Rejects what the authority would reject (docs/contract.md#strict-sandbox). */
  isStrict: boolean;
  /** The address of this server, where the sandbox's document pages are, without a slash at the end. */
  publicUrl(): string;
}

const JSON_HEADERS = { "content-type": "application/json" };

/** The address of a method, or of a document's page. */
export function urlOf(options: SandboxOptions, path: string): string {
  return `${options.publicUrl()}/sandbox/${path}`;
}

export function recordRequest(
  recorder: CallRecorder,
  method: "GET" | "POST",
  url: string,
  body?: object,
): void {
  recorder.request(
    body === undefined
      ? { method, url, headers: {}, body: null }
      : { method, url, headers: JSON_HEADERS, body: JSON.stringify(body) },
  );
}

export function recordResponse(recorder: CallRecorder, status: number, body: unknown): void {
  recorder.response({ status, headers: JSON_HEADERS, body: JSON.stringify(body) });
}

/** Throws on calls that no caller may make: a live document, or one without the identifier it is filed under. */
export function assertTest({ mode }: CallContext): void {
  if (mode !== "test") throw new Error("A live document never reaches the sandbox");
}

export function uidOf({ id, uid }: OutgoingDocument): string {
  if (uid === null) throw new Error(`The document ${id} has no uid to be filed under`);
  return uid;
}
