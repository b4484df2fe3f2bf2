/** Records the requests and responses that the sandbox simulates, as if they had gone over the network. */
import type {
  CallContext,
  CallRecorder,
  OutgoingDocument,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import type { SandboxLedger } from "./ledger.ts";

const JSON_HEADERS = { "content-type": "application/json" };

/** The address of a method, or of a document's page. */
export function urlOf(options: SandboxOptions, path: string): string {
  return `${options.publicUrl()}/sandbox/${path}`;
}

export function recordJsonRequest(recorder: CallRecorder, url: string, body: unknown): void {
  recorder.request({ method: "POST", url, headers: JSON_HEADERS, body: JSON.stringify(body) });
}

export function recordBodilessRequest(recorder: CallRecorder, method: "GET" | "POST", url: string): void {
  recorder.request({ method, url, headers: {}, body: null });
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

export function markOf({ id, mark }: SentDocument): string {
  if (mark === null) throw new Error(`The document ${id} has no MARK to be cancelled`);
  return mark;
}

/** Options of the sandbox. */
export interface SandboxOptions {
  ledger: SandboxLedger;
  /** Rejects what the authority would reject (docs/contract.md#strict-sandbox). */
  isStrict: boolean;
  /** The address of this server, where the sandbox's document pages are, without a slash at the end. */
  publicUrl(): string;
}
