/** Reads submitted forms, with a size limit, and only from this server's own pages. */
import type { H3Event } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { readBodyBytes } from "../request.ts";

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

export interface UploadedFile {
  name: string;
  bytes: Buffer;
}

export interface SentForm {
  fields: ReadonlyMap<string, string>;
  file: UploadedFile | undefined;
}

/** Throws `unauthorized` for a form from another site, `unsupported_media_type`, `payload_too_large` or `validation_failed`. */
export async function readForm(event: H3Event, limits: FormLimits): Promise<SentForm> {
  if (isCrossSite(event))
    throw new AppError("unauthorized", {
      en: "This form was sent from another site; open the link itself",
      el: "Η φόρμα στάλθηκε από άλλον ιστότοπο· ανοίξτε τον ίδιο τον σύνδεσμο",
    });
  const type = event.req.headers.get("content-type") ?? "";
  const delimiter = delimiterOf(type);
  if (delimiter === undefined)
    throw new AppError("unsupported_media_type", {
      en: "The form must be application/x-www-form-urlencoded or multipart/form-data",
      el: "Η φόρμα πρέπει να είναι application/x-www-form-urlencoded ή multipart/form-data",
    });
  const bytes = await readBodyBytes(event, limits.bytes);
  if (isOftenIn(bytes, delimiter, limits.fields))
    throw new AppError("payload_too_large", {
      en: `The form has more than ${limits.fields} fields`,
      el: `Η φόρμα έχει πάνω από ${limits.fields} πεδία`,
    });
  const fields = new Map<string, string>();
  let file: UploadedFile | undefined;
  for (const [name, value] of await parseForm(bytes, type)) {
    if (typeof value === "string") fields.set(name, value);
    else if (value.name !== "") file = { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { fields, file };
}

/** What separates the fields of a form with this content type; undefined if it is no form. */
function delimiterOf(type: string): string | undefined {
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return "&";
  // As browsers write it: in any other way the platform could read another boundary than this.
  const [, quoted, plain] =
    /^multipart\/form-data\s*;\s*boundary=(?:"([^"\\]+)"|([^;\s"]+))$/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? undefined : `--${boundary}`;
}

/** Whether `delimiter` is there so many times. Counted before the form is parsed, which takes seconds for very many fields. */
function isOftenIn(bytes: Buffer, delimiter: string, times: number): boolean {
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1 && count < times; count += 1)
    at = bytes.indexOf(delimiter, at + delimiter.length);
  return count === times;
}

async function parseForm(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch (error) {
    const text = { en: "The form could not be read", el: "Η φόρμα δεν μπόρεσε να διαβαστεί" };
    throw new AppError("validation_failed", text, { cause: error });
  }
}
