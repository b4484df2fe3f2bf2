/** Reads submitted forms, with a size limit, and only from this server's own pages. */
import type { H3Event } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { readBodyText } from "../request.ts";

/** Enough for a dozen percent-encoded fields of a few hundred characters. */
const FORM_BYTES_MAX = 32_768;

/**
 * Whether another site sent the request, according to the browser. `Origin` is `null` for our own pages too, because they send
 * no referrer. A request without these headers does not come from a browser.
 */
export function isCrossSite(event: H3Event): boolean {
  const { headers } = event.req;
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site !== "same-origin" && site !== "none";
  const origin = headers.get("origin");
  if (origin === null || origin === "null") return false;
  return !URL.canParse(origin) || new URL(origin).host !== headers.get("host");
}

/** Throws `unauthorized` for a form from another site, `unsupported_media_type`, `payload_too_large` or `validation_failed`. */
export async function readForm(event: H3Event, bytesMax = FORM_BYTES_MAX): Promise<Map<string, string>> {
  if (isCrossSite(event))
    throw new AppError("unauthorized", {
      en: "This form was sent from another site; open the link itself",
      el: "Η φόρμα στάλθηκε από άλλον ιστότοπο· ανοίξτε τον ίδιο τον σύνδεσμο",
    });
  const type = (event.req.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new AppError("unsupported_media_type", {
      en: "The form must be application/x-www-form-urlencoded",
      el: "Η φόρμα πρέπει να είναι application/x-www-form-urlencoded",
    });
  const text = await readBodyText(event, bytesMax);
  return new Map(new URLSearchParams(text));
}
