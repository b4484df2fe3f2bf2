/** The counter that a document takes its number from. */
import type { CounterKey } from "../../storage/documents/series.ts";
import type { Mode } from "../../storage/stored-values.ts";

/** Undefined while the document has no series because the provider has yet to number it. */
export function counterOf(document: {
  supplier: string;
  branch: number;
  type: string;
  series: string | null;
  mode: Mode;
}): CounterKey | undefined {
  const { supplier, branch, type, series, mode } = document;
  return series === null ? undefined : { supplier, branch, type, series, mode };
}
