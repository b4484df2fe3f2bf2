/** Records the requests and responses that the sandbox simulates, as if they had gone over the network. */
import type { CallRecorder } from "../../domain/provider-adapter.ts";
import type { SandboxOptions } from "./options.ts";

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
