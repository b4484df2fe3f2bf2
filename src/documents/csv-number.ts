/**
 * Amounts and quantities as people write them. A point or a comma may be the decimal sign or may group thousands: what a
 * file uses is told by its own values, and a value that could be read both ways is refused until one of them has told.
 */

export type DecimalSign = "." | ",";

export type Reading =
  | { kind: "read"; whole: string; decimals: string; /** The sign that this value proves. */ proves: DecimalSign | undefined }
  | { kind: "problem"; message: string };

/** Signs and spaces that stand around or inside amounts: euro, and the spaces that group thousands. */
const TOLERATED = /[\s\u00a0\u202f€]/g;
const FORM = /^[0-9][0-9.,]*$/;

function problem(message: string): Reading {
  return { kind: "problem", message };
}

/** Reads `text` where the file's sign is `known`, or undefined while no value has told it. */
export function readDecimal(text: string, known: DecimalSign | undefined): Reading {
  const bare = text.replace(TOLERATED, "");
  if (bare.startsWith("-")) return problem("must not be negative; a credit note (5.1, 5.2) carries positive amounts");
  if (!FORM.test(bare)) return problem("must be a number");
  const points = bare.split(".").length - 1;
  const commas = bare.split(",").length - 1;
  if (points === 0 && commas === 0) return { kind: "read", whole: trimZeros(bare), decimals: "", proves: undefined };
  if (points > 0 && commas > 0) return readBoth(bare, known);
  const sign: DecimalSign = points > 0 ? "." : ",";
  return points + commas > 1 ? readGroups(bare, sign, known) : readOne(bare, sign, known);
}

function trimZeros(whole: string): string {
  return whole.replace(/^0+(?=\d)/, "");
}

function otherSign(sign: DecimalSign): DecimalSign {
  return sign === "." ? "," : ".";
}

function contradiction(sign: DecimalSign): Reading {
  return problem(`has ${sign === "." ? "a point" : "a comma"} as its decimal sign, unlike the rest of the file`);
}

/** `1.234,56`: the last sign is the decimal one, the others group. */
function readBoth(bare: string, known: DecimalSign | undefined): Reading {
  const sign: DecimalSign = bare.lastIndexOf(".") > bare.lastIndexOf(",") ? "." : ",";
  const [head = "", decimals = "", ...rest] = bare.split(sign);
  if (rest.length > 0 || decimals === "" || !isGrouped(head, otherSign(sign))) return problem("must be a number");
  if (known !== undefined && known !== sign) return contradiction(sign);
  return { kind: "read", whole: trimZeros(head.replaceAll(otherSign(sign), "")), decimals, proves: sign };
}

function isGrouped(text: string, separator: DecimalSign): boolean {
  const [first = "", ...groups] = text.split(separator);
  return first.length >= 1 && first.length <= 3 && groups.every((group) => group.length === 3);
}

/** `1.234.567`: one sign several times can only group. */
function readGroups(bare: string, separator: DecimalSign, known: DecimalSign | undefined): Reading {
  if (!isGrouped(bare, separator)) return problem("must be a number");
  if (known === separator) return problem("groups thousands with the file's decimal sign");
  return { kind: "read", whole: trimZeros(bare.replaceAll(separator, "")), decimals: "", proves: otherSign(separator) };
}

/** `12,50`, `0,500`, or `1,234`, which is the one that can be read both ways. */
function readOne(bare: string, sign: DecimalSign, known: DecimalSign | undefined): Reading {
  const [head = "", tail = ""] = bare.split(sign);
  if (tail === "") return problem("must be a number");
  const mayGroup = tail.length === 3 && head.length <= 3 && !head.startsWith("0");
  if (!mayGroup) {
    if (known !== undefined && known !== sign) return contradiction(sign);
    return { kind: "read", whole: trimZeros(head), decimals: tail, proves: sign };
  }
  if (known === undefined) {
    return problem(
      "can be read as a thousand or as a decimal, and nothing in the file tells which; write two decimals (1234.00 or 1.23)",
    );
  }
  return known === sign
    ? { kind: "read", whole: trimZeros(head), decimals: tail, proves: undefined }
    : { kind: "read", whole: head + tail, decimals: "", proves: undefined };
}
