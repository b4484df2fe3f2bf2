/** Parses a service-signature header that may be damaged. */

export interface HeaderParts {
  /** The header's value, without its name and surrounding quotation marks and white space. */
  text: string;
  /** The digits of `t`; undefined if there are none. */
  timestamp: string | undefined;
  /** The values of `v1`, unchecked. */
  signatures: string[];
  /** It is the header of Standard Webhooks: `v1,` and base64. */
  isStandard: boolean;
}

const NAME = /^\s*service-signature\s*:/i;
const STANDARD = /(^|\s)v1,[A-Za-z0-9+/]{20}/;
const DIGITS = /^\d{1,15}$/;

/** Hex digits of a whole SHA-256. */
export const SIGNATURE_LENGTH = 64;

export function readHeader(header: string): HeaderParts {
  const text = header
    .replace(NAME, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  const elements = text.split(",").map((element) => element.trim());
  const valuesOf = (name: string) =>
    elements
      .filter((element) => element.startsWith(`${name}=`))
      .map((element) => element.slice(name.length + 1));
  return {
    text,
    timestamp: valuesOf("t").find((value) => DIGITS.test(value)),
    signatures: valuesOf("v1"),
    isStandard: STANDARD.test(text),
  };
}
