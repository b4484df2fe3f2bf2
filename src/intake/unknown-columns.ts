/** Describes the unknown columns of a file: what they may mean, and how to read the file. */
import { sameInBoth, type Text } from "../foundation/text.ts";
import { type ColumnName, FILE_COLUMNS } from "./table-fields.ts";
import { suggestColumn, findNearestColumn, foldName } from "./table-columns.ts";

/** A header cell that names no column. */
export interface UnknownCell {
  index: number;
  cell: string;
}

/** Without a header, the first row may contain any data: a cell is quoted only where it looks like a name. */
const NAME_FORM = /^[\p{L}\p{N}_ .,%()/#€&-]{1,40}$/u;

/** One message for each misspelt column, and one for all other unknown ones. */
export function describeUnknown(names: readonly string[]): Text[] {
  const misspelt: Text[] = [];
  const strange: string[] = [];
  for (const name of names) {
    const nearest = findNearestColumn(foldName(name));
    if (nearest === undefined) strange.push(name);
    else
      misspelt.push(
        nameUnknown([name], { en: `did you mean ${nearest}?`, el: `μήπως εννοείτε ${nearest};` }),
      );
  }
  if (strange.length === 0) return misspelt;
  const listed = FILE_COLUMNS.join(", ");
  return [
    ...misspelt,
    nameUnknown(strange, { en: `the columns are ${listed}`, el: `οι στήλες είναι ${listed}` }),
  ];
}

function nameUnknown(names: readonly string[], hint: Text): Text {
  const shown = names.filter((name) => NAME_FORM.test(name)).join(", ");
  const found =
    names.length === 1
      ? { en: "has an unknown column", el: "έχει μια άγνωστη στήλη" }
      : { en: `has ${names.length} unknown columns`, el: `έχει ${names.length} άγνωστες στήλες` };
  const { en, el } = sameInBoth(shown === "" ? "" : `, ${shown}`);
  return { en: `${found.en}${en}; ${hint.en}`, el: `${found.el}${el}· ${hint.el}` };
}

/** That the columns need a meaning, and the probable one as far as the names show it. */
export function describeSolution(
  unknown: readonly UnknownCell[],
  places: ReadonlyMap<ColumnName, number>,
  missing: readonly ColumnName[],
): Text {
  const suggested = suggestColumns(unknown, places);
  const isNamed = unknown.every(({ cell }) => NAME_FORM.test(cell));
  if (!isNamed || places.size + suggested.size === 0) return MAP_HINT;
  const columns = unknown.map(({ index, cell }) => [cell, suggested.get(index) ?? IGNORE]);
  const found = new Set(suggested.values());
  const lacksType = missing.includes("type") && !found.has("type");
  const type = found.has("customer_tax_id") || places.has("customer_tax_id") ? "1.1" : "11.1";
  const defaults: Record<string, string> = lacksType ? { type } : {};
  return {
    en: "may be read once its columns have a meaning",
    el: "μπορεί να διαβαστεί όταν οι στήλες του έχουν σημασία",
    next: { operation: "mapColumns", arguments: { columns: Object.fromEntries(columns), defaults } },
  };
}

/** The meaning of a column that is left out. */
export const IGNORE = "ignore";

/** What unknown cells probably mean, by index: no column twice. */
export function suggestColumns(
  unknown: readonly UnknownCell[],
  places: ReadonlyMap<ColumnName, number>,
): Map<number, ColumnName> {
  const taken = new Set(places.keys());
  const suggested = new Map<number, ColumnName>();
  for (const { index, cell } of unknown) {
    const column = suggestColumn(cell, taken) ?? nearestFree(cell, taken);
    if (column === undefined) continue;
    taken.add(column);
    suggested.set(index, column);
  }
  return suggested;
}

function nearestFree(cell: string, taken: ReadonlySet<ColumnName>): ColumnName | undefined {
  const nearest = findNearestColumn(foldName(cell));
  // "Member" is two letters from "number": only its own names suggest it.
  return nearest === undefined || nearest === "number" || taken.has(nearest) ? undefined : nearest;
}

const MAP_HINT: Text = {
  en: "may use other column names",
  el: "μπορεί να έχει άλλα ονόματα στηλών",
  next: { operation: "mapColumns" },
};
