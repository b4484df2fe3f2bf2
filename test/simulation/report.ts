/** What the command prints: single histories, and the totals of many. */
import type { History } from "./simulation.ts";

export interface Totals {
  seeds: number;
  steps: number;
  documents: number;
  violations: number;
  /** How often each kind of fault happened. */
  faults: Map<string, number>;
}

export function createTotals(): Totals {
  return { seeds: 0, steps: 0, documents: 0, violations: 0, faults: new Map() };
}

export function addHistory(totals: Totals, { steps, documents, violations, happened }: History): void {
  totals.seeds += 1;
  totals.steps += steps;
  totals.documents += documents;
  totals.violations += violations.length > 0 ? 1 : 0;
  for (const kind of happened.values())
    if (kind !== "order") totals.faults.set(kind, (totals.faults.get(kind) ?? 0) + 1);
}

const NAME_WIDTH = 32;

export function describeTotals({ seeds, steps, documents, violations, faults }: Totals): string {
  const row = (name: string, count: number) => `${name.padEnd(NAME_WIDTH)}${count.toLocaleString("en")}`;
  const sorted = [...faults].sort(([left], [right]) => (left < right ? -1 : 1));
  const sum = [...faults.values()].reduce((total, count) => total + count, 0);
  return [
    row("seeds", seeds),
    row("steps", steps),
    row("documents", documents),
    row("faults", sum),
    ...sorted.map(([kind, count]) => row(`  ${kind}`, count)),
    row("seeds with violations", violations),
  ].join("\n");
}

/** The history, line by line, with the faults that shaped it. */
export function describeHistory({ seed, lines, steps, happened, violations }: History): string {
  const faults = [...happened].map(([name, kind]) => `  ${name}: ${kind}`);
  const broken = violations.map(({ rule, what }) => `  ${rule}: ${what}`);
  return [
    `seed ${seed}, ${steps} steps`,
    ...lines,
    "what happened:",
    ...faults,
    violations.length === 0 ? "no violation" : "violations:",
    ...broken,
  ].join("\n");
}
