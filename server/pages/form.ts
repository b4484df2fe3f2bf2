/** Reads submitted forms, with a size limit, and only from this server's own pages. */
import type { H3Event } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { readBodyBytes, readBodyText } from "../request.ts";

export interface FormLimits {
  bytes: number;
  fields: number;
}

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

/** A file of a form. */
export interface UploadedFile {
  name: string;
  bytes: Buffer;
}

function refuseCrossSite(event: H3Event): void {
  if (isCrossSite(event))
    throw new AppError("unauthorized", {
      en: "This form was sent from another site; open the link itself",
      el: "Η φόρμα στάλθηκε από άλλον ιστότοπο· ανοίξτε τον ίδιο τον σύνδεσμο",
    });
}

/** Reads a form that may have a file. Throws like `readForm`. */
export async function readFileForm(
  event: H3Event,
  limits: FormLimits,
): Promise<{ fields: Map<string, string>; file: UploadedFile | undefined }> {
  refuseCrossSite(event);
  const type = event.req.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new AppError("unsupported_media_type", {
      en: "The form must be multipart/form-data",
      el: "Η φόρμα πρέπει να είναι multipart/form-data",
    });
  const bytes = await readBodyBytes(event, limits.bytes);
  // The file is a part too.
  if (hasMoreParts(bytes, type, limits.fields + 1)) throw tooManyFields(limits);
  const fields = new Map<string, string>();
  let file: UploadedFile | undefined;
  for (const [name, value] of await parseMultipart(bytes, type)) {
    if (typeof value === "string") fields.set(name, value);
    else if (value.name !== "") file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { fields, file };
}

/** Whether a form has more than `max` parts. Counted before it is parsed, which takes seconds for very many. */
function hasMoreParts(bytes: Buffer, type: string, max: number): boolean {
  const [, quoted, plain = ""] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const delimiter = Buffer.from(`--${quoted ?? plain}`);
  let count = 0;
  // The last delimiter ends the form.
  for (let at = bytes.indexOf(delimiter); at !== -1 && count <= max + 1; count += 1)
    at = bytes.indexOf(delimiter, at + delimiter.length);
  return count > max + 1;
}

async function parseMultipart(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (error) {
    const text = { en: "The form could not be read", el: "Η φόρμα δεν μπόρεσε να διαβαστεί" };
    throw new AppError("validation_failed", text, { cause: error });
  }
}

function tooManyFields({ fields }: FormLimits): AppError {
  return new AppError("payload_too_large", {
    en: `The form has more than ${fields} fields`,
    el: `Η φόρμα έχει πάνω από ${fields} πεδία`,
  });
}

/** Throws `unauthorized` for a form from another site, `unsupported_media_type`, `payload_too_large` or `validation_failed`. */
export async function readForm(event: H3Event, limits: FormLimits): Promise<Map<string, string>> {
  refuseCrossSite(event);
  const type = (event.req.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new AppError("unsupported_media_type", {
      en: "The form must be application/x-www-form-urlencoded",
      el: "Η φόρμα πρέπει να είναι application/x-www-form-urlencoded",
    });
  const text = await readBodyText(event, limits.bytes);
  // Counted before they are decoded: a form may have as many fields as it has bytes.
  if (text.split("&", limits.fields + 1).length > limits.fields) throw tooManyFields(limits);
  return new Map(new URLSearchParams(text));
}
