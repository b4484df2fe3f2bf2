/** The flags `--column` and `--default`, which say what the columns of a file mean. */
import { type ColumnMap, parseColumnMap } from "../../../src/intake/column-map.ts";
import { IGNORE } from "../../../src/intake/table-header.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { sameInBoth, joinTexts } from "../../../src/foundation/text.ts";
import { UsageError } from "../../exit.ts";

export interface ColumnFlags {
  /** Pairs of a name in the file and our column, or `ignore`. */
  column?: [theirs: string, ours: string][];
  /** Values by our column. */
  default?: Record<string, string>;
}

/** Parses `Περιγραφή=description`; the flag may be repeated. */
export const readColumnFlag = Object.assign(
  (value: string, previous: [string, string][] = []): [string, string][] => {
    const split = value.lastIndexOf("=");
    const [theirs, ours] = [value.slice(0, split).trim(), value.slice(split + 1).trim()];
    if (split > 0 && theirs !== "" && ours !== "") return [...previous, [theirs, ours]];
    throw new UsageError({
      en: `--column takes "name in the file=our column", or =${IGNORE} for a column to leave out`,
      el: `η --column δέχεται "όνομα στο αρχείο=δική μας στήλη", ή =${IGNORE} για στήλη που παραλείπεται`,
    });
  },
  { isRepeatable: true },
);

/** The map of the flags; undefined without any. Throws a usage error that names what is wrong. */
export function mapOfFlags({ column = [], default: defaults }: ColumnFlags): ColumnMap | undefined {
  if (column.length === 0 && defaults === undefined) return undefined;
  const columns: Record<string, string[]> = {};
  for (const [theirs, ours] of column) if (ours !== IGNORE) (columns[ours] ??= []).push(theirs);
  const ignore = column.filter(([, ours]) => ours === IGNORE).map(([theirs]) => theirs);
  try {
    return parseColumnMap({ columns, ignore, defaults: defaults ?? {} });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(joinTexts([sameInBoth("--column, --default"), error.text], ": "), { cause: error });
  }
}
