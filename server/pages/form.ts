/** What a form of ours posts: read with a limit, and only where it came from one of our pages. */
import type { H3Event } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { readBodyText } from "../request.ts";

/** A dozen fields of a few hundred characters, each of them escaped. */
const FORM_BYTES_MAX = 32_768;

/**
 * Whether another site sent it. Browsers say where a request comes from; `Origin` is `null` for our own pages too, which send
 * no referrer. What says nothing is no browser.
 */
export function isFromElsewhere(event: H3Event): boolean {
  const { headers } = event.req;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null || origin === "null") return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}

/** Throws `unauthorized` for another site's, `unsupported_media_type`, `payload_too_large`, `validation_failed`. */
export async function readForm(event: H3Event): Promise<Map<string, string>> {
  if (isFromElsewhere(event))
    throw new AppError("unauthorized", "This form was sent from another site; open the link itself");
  const type = (event.req.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new AppError("unsupported_media_type", "The form must be application/x-www-form-urlencoded");
  const text = await readBodyText(event, FORM_BYTES_MAX);
  return new Map(new URLSearchParams(text));
}
