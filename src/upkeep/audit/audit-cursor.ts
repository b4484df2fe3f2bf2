/** Rows one after the other, fetched in portions: a million of them in the memory of a few hundred. */
export interface Cursor<Row> {
  /** The row that comes next; undefined at the end. */
  peek(): Promise<Row | undefined>;
  /** Passes over it. */
  advance(): void;
}

const PORTION = 500;

/** `fetch` answers the rows behind `after` (undefined: from the first), at most `limit`. */
export function createCursor<Row>(
  fetch: (after: Row | undefined, limit: number) => Promise<Row[]>,
): Cursor<Row> {
  let rows: Row[] = [];
  let next = 0;
  let last: Row | undefined;
  let isAtEnd = false;
  return {
    async peek() {
      if (next < rows.length || isAtEnd) return rows[next];
      rows = await fetch(last, PORTION);
      next = 0;
      last = rows.at(-1) ?? last;
      isAtEnd = rows.length < PORTION;
      return rows[0];
    },
    advance() {
      next += 1;
    },
  };
}
