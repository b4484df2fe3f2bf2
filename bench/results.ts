/** Rows of the result: for people, as lines of JSON, and compared with those of an earlier run. */
import { readFileSync } from "node:fs";
import { median, quantile, type Sample } from "./rounds.ts";

type Goal = { atLeast: number } | { atMost: number };

/** The median of all rounds, with the range of the middle half. */
export interface Row {
  name: string;
  about: string;
  unit: string;
  value: number;
  low: number;
  high: number;
  goal?: Goal | undefined;
  ours: Sample;
  reference?: Sample | undefined;
}

/** `value` is computed in each round: by default how often the rate of `ours` contains that of `reference`. */
export function rowOf<Name extends string>(
  samples: readonly Record<Name, Sample>[],
  row: {
    name: string;
    about: string;
    ours: Name;
    reference?: Name;
    unit?: string;
    goal?: Goal;
    value?: (ours: Sample, reference: Sample) => number | undefined;
  },
): Row {
  const { name, about, goal, unit = "×", ours, reference } = row;
  const value = row.value ?? ((one: Sample, other: Sample) => one.perSecond / other.perSecond);
  const values = samples.map((round) => value(round[ours], round[reference ?? ours]) ?? Number.NaN);
  return {
    name,
    about,
    unit,
    goal,
    value: median(values),
    low: quantile(values, 0.25),
    high: quantile(values, 0.75),
    ours: medianSample(samples.map((round) => round[ours])),
    reference: reference && medianSample(samples.map((round) => round[reference])),
  };
}

function medianSample(samples: readonly Sample[]): Sample {
  const keys = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
  const of = (key: keyof Sample) => median(samples.map((sample) => sample[key] ?? Number.NaN));
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as unknown as Sample;
}

export function describe(row: Row): string {
  const spread = `${amount(row, row.low)}–${amount(row, row.high)}`;
  const reference = row.reference === undefined ? "" : `; reference ${describeSample(row.reference)}`;
  return [
    `${row.name.padEnd(20)} ${amount(row, row.value).padStart(8)} (${spread})  ${describeGoal(row)}`,
    `  ${row.about}`,
    `  ${describeSample(row.ours)}${reference}`,
  ].join("\n");
}

function amount({ unit }: Row, value: number): string {
  return unit === "×" ? `×${value.toFixed(2)}` : `${value.toFixed(1)} ${unit}`;
}

function describeGoal({ goal, value, unit }: Row): string {
  if (goal === undefined) return "no goal";
  const [words, limit, isMet] =
    "atLeast" in goal
      ? ["at least", goal.atLeast, value >= goal.atLeast]
      : ["at most", goal.atMost, value <= goal.atMost];
  return `goal ${words} ${unit === "×" ? `×${limit}` : `${limit} ${unit}`}: ${isMet ? "met" : "missed"}`;
}

function describeSample({ perSecond, cpuMicros, peakMegabytes, p99Ms }: Sample): string {
  const parts = [`${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s`];
  if (cpuMicros !== undefined) parts.push(`${cpuMicros.toFixed(0)} µs CPU`);
  if (peakMegabytes !== undefined) parts.push(`${peakMegabytes.toFixed(0)} MB`);
  if (p99Ms !== undefined) parts.push(`p99 ${p99Ms.toFixed(2)} ms`);
  return parts.join(", ");
}

/** The rows of an earlier run by name. Other lines of the file, such as npm's, are ignored. */
export function readRows(file: string): Map<string, Row> {
  const lines = readFileSync(file, "utf8").split("\n");
  const rows = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as Row);
  return new Map(rows.map((row) => [row.name, row]));
}

/** A difference counts if the ranges of the two runs do not overlap. */
export function compareRow(row: Row, earlier: Row | undefined): string {
  if (earlier === undefined) return "  not measured in the earlier run";
  const isApart = row.low > earlier.high || row.high < earlier.low;
  const change = (row.value / earlier.value - 1) * 100;
  const verdict = isApart
    ? `${change > 0 ? "+" : ""}${change.toFixed(0)} %`
    : "no difference beyond the spread";
  const spread = `${amount(earlier, earlier.low)}–${amount(earlier, earlier.high)}`;
  return `  earlier ${amount(earlier, earlier.value)} (${spread}): ${verdict}`;
}
