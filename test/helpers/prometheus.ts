/** Reads Prometheus's text format 0.0.4, whose rules promtool checks. */
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

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g;

/** Throws for a line that is neither a comment nor a sample of a family. */
export function parseMetrics(text: string): MetricFamily[] {
  const families: MetricFamily[] = [];
  for (const line of text.split("\n").filter((one) => one !== "" && !one.startsWith("# HELP "))) {
    const [, family, type = ""] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (family === undefined) families.at(-1)!.samples.push(parseSample(line));
    else families.push({ name: family, type, samples: [] });
  }
  return families;
}

function parseSample(line: string): Sample {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = Array.from(labels.matchAll(LABEL), ([, label, text]) => [label!, text!]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
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
