/** Shows progress bars, only on a terminal and without `--quiet`. */
import type { Language, Text } from "../../src/foundation/text.ts";
import { inLanguage, isColoured, outputSettingsOf, type ProgramIo } from "../io.ts";

interface Progress {
  /**
   * `total` may grow. `fraction` (0 to 1) shows the progress if the total is unknown; without both only the count is shown.
   * `note` says what the work waits for.
   */
  update(done: number, total?: number, fraction?: number, note?: Text): void;
}

/** Shows the progress of `work` as a bar on stderr labelled `label`, for example `issuing`. The bar is removed at the end. */
export async function withProgress<T>(
  io: ProgramIo,
  label: Text,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { language, quiet } = outputSettingsOf(io);
  if (io.stderr.isTTY !== true || quiet) return work({ update() {} });
  const shown = inLanguage(io, label);
  const { default: cliProgress } = await import("cli-progress");
  const started = performance.now();
  let known: number | undefined;
  let noted: string | undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: (_options, { value, total }) => {
        const fraction = total === 0 ? known : value / total;
        const elapsedMs = performance.now() - started;
        return formatBar(shown, { done: value, total, fraction, elapsedMs, note: noted }, language);
      },
      stream: io.stderr,
      hideCursor: isColoured(io, io.stderr),
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(0, 0);
  const update: Progress["update"] = (done, total, fraction, note) => {
    known = fraction;
    noted = note === undefined ? undefined : inLanguage(io, note);
    bar.setTotal(total ?? 0);
    bar.update(done);
  };
  try {
    return await work({ update });
  } finally {
    bar.stop();
  }
}

const BAR_WIDTH = 30;
/** Leaves room for a note in 80 columns. */
const NOTED_BAR_WIDTH = 10;
/** An earlier rate would be meaningless. */
const RATE_AFTER_MS = 1000;

/** The state of the work. */
export interface BarState {
  done: number;
  /** 0 if unknown. */
  total: number;
  /** 0 to 1; undefined if unknown. */
  fraction: number | undefined;
  elapsedMs: number;
  /** What the work waits for. */
  note?: string | undefined;
}

/** `accepting 2560 ███░░░ 1800/s, 12 s left`: the bar if the fraction is known, then the note, the rate after a second. */
export function formatBar(
  label: string,
  { done, total, fraction, elapsedMs, note }: BarState,
  language: Language = "en",
): string {
  const parts = [total === 0 ? `${label} ${done}` : label];
  if (fraction !== undefined) {
    const width = note === undefined ? BAR_WIDTH : NOTED_BAR_WIDTH;
    const filled = Math.round(Math.min(1, fraction) * width);
    parts.push("█".repeat(filled) + "░".repeat(width - filled));
  }
  if (total > 0) parts.push(`${done}/${total}`);
  if (note !== undefined) parts.push(`(${note})`);
  if (done > 0 && elapsedMs >= RATE_AFTER_MS)
    parts.push(formatPace(done, fraction, elapsedMs, LEFT[language]));
  return parts.join(" ");
}

const LEFT: Text = { en: "left", el: "ακόμη" };

function formatPace(done: number, fraction: number | undefined, elapsedMs: number, left: string): string {
  const rate = `${Math.max(1, Math.round((done / elapsedMs) * 1000))}/s`;
  if (fraction === undefined || fraction <= 0) return rate;
  const seconds = Math.ceil((elapsedMs * (1 / Math.min(1, fraction) - 1)) / 1000);
  return `${rate}, ${formatSeconds(seconds)} ${left}`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
