/**
 * Passes the console's requests about uploads to the main process, which keeps the uploads in memory: the next request of a visitor
 * may come to another worker.
 */
import { type H3, type H3Event, HTTPResponse } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { FILE_FORM_BYTES_MAX } from "../pages/console/upload/uploads.ts";
import { readBodyBytes } from "../request.ts";
import type { Channel } from "./channel.ts";
import type { Answer, Asked } from "./messages.ts";

/** Of a worker. */
export function createForwarding(channel: Channel): (event: H3Event) => Promise<HTTPResponse> {
  return async (event) => {
    const { method } = event.req;
    const headers = new Headers(event.req.headers);
    const body = method === "POST" ? await readForm(event, headers) : null;
    const asked = { method, url: event.url.href, headers: [...headers], body };
    const answer = await channel.ask("upload", asked);
    const bytes = answer.body === null ? null : Buffer.from(answer.body, "base64");
    return new HTTPResponse(bytes, { status: answer.status, headers: answer.headers });
  };
}

/** The form in Base64. Of one that is too large only its size is passed on, so that the main process explains it. */
async function readForm(event: H3Event, headers: Headers): Promise<string | null> {
  try {
    return (await readBodyBytes(event, FILE_FORM_BYTES_MAX)).toString("base64");
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "payload_too_large") throw error;
    const declared = Number(headers.get("content-length") ?? "0");
    headers.set("content-length", String(Math.max(declared, FILE_FORM_BYTES_MAX + 1)));
    return null;
  }
}

/** In the main process: the response of `app`. */
export async function respondTo(app: H3, asked: Asked<"upload">): Promise<Answer<"upload">> {
  const { method, url, headers, body } = asked;
  const content = body === null ? {} : { body: Buffer.from(body, "base64") };
  const response = await app.fetch(new Request(url, { method, headers, ...content }));
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: [...response.headers],
    body: bytes.length === 0 ? null : bytes.toString("base64"),
  };
}
