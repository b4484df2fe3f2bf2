/** Finds the column that a name in a file means: its Greek name, or one that is only suggested because it may mean something else. */
import { comparable } from "../domain/code-words.ts";
import { type ColumnName, FIELDS, FILE_COLUMNS } from "./table-fields.ts";

const BY_GREEK_NAME: ReadonlyMap<string, ColumnName> = new Map(
  FILE_COLUMNS.map((column) => [comparable(FIELDS[column].words.el), column]),
);

/** The column with this Greek name. */
export function columnInGreek(name: string): ColumnName | undefined {
  return BY_GREEK_NAME.get(comparable(name));
}

const SUGGESTED = FILE_COLUMNS.flatMap((column) => {
  const { el, also } = FIELDS[column].words;
  return [column, el, ...also].map((word) => ({ word: comparable(word), column }));
});

/**
 * They identify a document, and another number in their place (of the customer, the product) would be filed: they are suggested
 * only for one of their names as a whole.
 */
const WHOLE_NAME_ONLY: ReadonlySet<ColumnName> = new Set(["reference", "number"]);

/** The column that `name` probably means: by a known name, otherwise by the longest one in it. `taken` are not suggested. */
export function suggestColumn(
  name: string,
  taken: ReadonlySet<ColumnName> = new Set(),
): ColumnName | undefined {
  const wanted = comparable(name.slice(0, NAME_CHARACTERS_MAX));
  const free = SUGGESTED.filter(({ column }) => !taken.has(column));
  const within = free.filter(({ word, column }) =>
    WHOLE_NAME_ONLY.has(column) ? wanted === word : ` ${wanted} `.includes(` ${word} `),
  );
  const [longest] = within.toSorted((left, right) => right.word.length - left.word.length);
  return longest?.column;
}

/** A longer name is not one of a column. */
const NAME_CHARACTERS_MAX = 200;
