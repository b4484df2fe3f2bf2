/** JSON with whole numbers of any length: JSON itself has no largest number. */
import { escapeHiddenCharacters } from "../../src/foundation/control-characters.ts";
import { selectFields } from "./json.ts";
import { outputSettingsOf, type ProgramIo, write } from "../io.ts";

/** The text of `value`, indented, with each bigint as a number. No other text in it may begin with `exactly:`. */
export function exactJson(value: unknown): string {
  const marked = JSON.stringify(
    value,
    (_key, part: unknown) => (typeof part === "bigint" ? `exactly:${part}` : part),
    2,
  );
  return escapeHiddenCharacters(marked).replace(/"exactly:(-?\d+)"/g, "$1");
}

/** Prints `value` on stdout. */
export function printExactJson(io: ProgramIo, value: unknown): Promise<void> {
  return write(io.stdout, `${exactJson(selectFields(value, outputSettingsOf(io).fields))}\n`);
}
