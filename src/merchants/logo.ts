/** Reads the logo in a merchant's settings: its text form and size. clean-logo.ts decodes the image itself. */
import type { Text } from "../foundation/text.ts";

/** Every PDF of the merchant contains the logo. */
const LOGO_BYTES_MAX = 102_400;
/** The length of a data: URL with this many bytes. */
export const LOGO_TEXT_LENGTH_MAX = 40 + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const TOO_LARGE: Text = {
  en: `must be at most ${LOGO_BYTES_MAX} bytes`,
  el: `πρέπει να είναι το πολύ ${LOGO_BYTES_MAX} byte`,
};
const NOT_BASE64: Text = {
  en: "must be a PNG or JPEG image, as a data: URL (data:image/png;base64,…) or in base64",
  el: "πρέπει να είναι εικόνα PNG ή JPEG, ως data: URL (data:image/png;base64,…) ή σε base64",
};

/** What `text` begins with if it is a data: URL; otherwise empty. */
export function dataUrlOf(text: string): string {
  return DATA_URL.exec(text)?.[0] ?? "";
}

/** Returns the bytes in `text`, a data: URL or its base64 alone, or what is wrong with it. */
export function readLogo(text: string): Buffer | { problem: Text } {
  if (text.length > LOGO_TEXT_LENGTH_MAX) return { problem: TOO_LARGE };
  const base64 = text.replace(DATA_URL, "");
  if (!BASE64.test(base64) || base64.length % 4 !== 0) return { problem: NOT_BASE64 };
  const bytes = Buffer.from(base64, "base64");
  return bytes.length > LOGO_BYTES_MAX ? { problem: TOO_LARGE } : bytes;
}
