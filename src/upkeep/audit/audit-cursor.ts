/** Iterates over rows that are fetched in portions, so that memory does not grow with their number. */
export interface Cursor<Row> {
  /** Returns the next row; undefined at the end. */
  peek(): Promise<Row | undefined>;
  /** Moves past the next row. */
  advance(): void;
}

const PORTION = 500;

/** `fetch` returns at most `limit` rows after `after`, or from the first if that is undefined. `portion` is for large rows. */
export function createCursor<Row>(
  fetch: (after: Row | undefined, limit: number) => Promise<Row[]>,
  portion = PORTION,
): Cursor<Row> {
  let rows: Row[] = [];
  let next = 0;
  let last: Row | undefined;
  let isAtEnd = false;
  return {
    async peek() {
      if (next < rows.length || isAtEnd) return rows[next];
      rows = await fetch(last, portion);
      next = 0;
      last = rows.at(-1) ?? last;
      isAtEnd = rows.length < portion;
      return rows[0];
    },
    advance() {
      next += 1;
    },
  };
}
