/** Draws a table whose cells have their final texts. */
import { displayWidth } from "./fit.ts";

export interface DrawnColumn {
  head: string;
  align: "left" | "right";
}

/** Of several lines, where a text wraps. */
type Cell = readonly string[];

/** With a frame, or without it and one space between the columns. Ends without a line break. */
export function drawTable(
  columns: readonly DrawnColumn[],
  rows: readonly (readonly string[])[],
  isBare: boolean,
): string {
  const head = columns.map((column) => column.head.split("\n"));
  const body = rows.map((row) => row.map((text) => text.split("\n")));
  const widths = columns.map((_column, at) =>
    [head, ...body].reduce((width, row) => Math.max(width, ...(row[at] ?? []).map(displayWidth)), 0),
  );
  const linesOf = (row: readonly Cell[]) => {
    const height = Math.max(1, ...row.map((cell) => cell.length));
    return Array.from({ length: height }, (_line, line) =>
      columns.map(({ align }, at) => {
        const text = row[at]?.[line] ?? "";
        const space = " ".repeat((widths[at] ?? 0) - displayWidth(text));
        return align === "right" ? space + text : text + space;
      }),
    );
  };
  if (isBare)
    return [head, ...body]
      .flatMap(linesOf)
      .map((line) => line.join(" ").replace(/ +$/, ""))
      .join("\n");
  const framed = (row: readonly Cell[]) => linesOf(row).map((line) => `│ ${line.join(" │ ")} │`);
  const border = (left: string, between: string, right: string) =>
    `${left}${widths.map((width) => "─".repeat(width + 2)).join(between)}${right}`;
  return [
    border("┌", "┬", "┐"),
    ...framed(head),
    ...(body.length === 0 ? [] : [border("├", "┼", "┤")]),
    ...body.flatMap(framed),
    border("└", "┴", "┘"),
  ].join("\n");
}
