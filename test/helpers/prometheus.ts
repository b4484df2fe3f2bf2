/** Parses Prometheus's text format 0.0.4 strictly: throws whatever a scrape would reject or warn about. */
import { spawnSync } from "node:child_process";

export const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** promtool's verdict on `input`, passed as standard input. */
export function runPromtool(args: readonly string[], input = ""): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync("promtool", args, { input, encoding: "utf8" });
  return { code: status, said: stdout + stderr };
}

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface MetricFamily {
  name: string;
  type: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const TYPES = new Set(["counter", "gauge", "histogram", "summary", "untyped"]);
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** Throws if HELP and TYPE are not first and unique, if a series occurs twice, or if a line is invalid. */
export function parseMetrics(text: string): MetricFamily[] {
  if (!text.endsWith("\n")) throw new Error("the text does not end with a line feed");
  const families = new Map<string, MetricFamily>();
  const helped = new Set<string>();
  const series = new Set<string>();
  let current: MetricFamily | undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (helped.has(name) || !NAME.test(name) || rest === "")
        throw new Error(`a second or bad HELP: ${line}`);
      helped.add(name);
    } else if (kind === "TYPE") {
      if (families.has(name) || !helped.has(name) || !TYPES.has(rest)) throw new Error(`a bad TYPE: ${line}`);
      families.set(name, (current = { name, type: rest, samples: [] }));
    } else {
      const sample = parseSample(line);
      if (current === undefined || !belongs(sample.name, current)) throw new Error(`no TYPE before ${line}`);
      const key = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(key)) throw new Error(`a series comes twice: ${line}`);
      series.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) if (family.type === "histogram") checkHistogram(family);
  return [...families.values()];
}

function parseSample(line: string): Sample {
  const [, name, labelText = "", valueText = ""] = SAMPLE.exec(line) ?? [];
  const value = valueText === "+Inf" ? Infinity : valueText === "Nan" ? Number.NaN : Number(valueText);
  if (name === undefined || (Number.isNaN(value) && !/^nan$/i.test(valueText)))
    throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let at = 0; at < labelText.length; at = LABEL.lastIndex) {
    const [, label, text] = LABEL.exec(labelText) ?? [];
    if (label === undefined || text === undefined || label in labels) throw new Error(`bad labels: ${line}`);
    labels[label] = text;
  }
  return { name, labels, value };
}

function belongs(sample: string, { name, type }: MetricFamily): boolean {
  if (sample === name) return type !== "histogram";
  const endings =
    type === "histogram" ? ["_bucket", "_sum", "_count"] : type === "summary" ? ["_sum", "_count"] : [];
  return endings.some((ending) => sample === name + ending);
}

/** Buckets must increase, and the last must equal the count. */
function checkHistogram({ name, samples }: MetricFamily): void {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _le, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  for (const [key, buckets] of groups) {
    const counts = buckets.map(({ value }) => value);
    const count = samples.find((one) => one.name === `${name}_count` && JSON.stringify(one.labels) === key);
    const rises = counts.every((value, index) => index === 0 || value >= counts[index - 1]!);
    if (!rises || buckets.at(-1)?.labels["le"] !== "+Inf" || counts.at(-1) !== count?.value)
      throw new Error(`the buckets of ${name} do not add up`);
  }
}

/** The value of the only series with these labels; 0 if there is none yet. */
export function valueOf(
  families: readonly MetricFamily[],
  name: string,
  labels: Record<string, string> = {},
): number {
  const wanted = Object.entries(labels);
  const found = families
    .flatMap(({ samples }) => samples)
    .filter(
      (sample) => sample.name === name && wanted.every(([label, value]) => sample.labels[label] === value),
    );
  if (found.length > 1) throw new Error(`${found.length} series of ${name} have these labels`);
  return found[0]?.value ?? 0;
}
