/** Shows progress bars, only on a terminal and without `--quiet`. */
import type { Text } from "../../src/foundation/text.ts";
import { inLanguage, outputSettingsOf, type ProgramIo } from "../io.ts";
import { isColoured } from "./screen.ts";

export interface Progress {
  /**
   * `total` may grow. `fraction` (0 to 1) shows the progress if the total is unknown; without both only the count is shown.
   */
  update(done: number, total?: number, fraction?: number): void;
  /** Removes the bar, so that the next output starts on its own line. */
  stop(): void;
}

const SILENT: Progress = { update() {}, stop() {} };

/** A bar on stderr labelled `label`, for example `issuing`. */
export async function startProgress(io: ProgramIo, label: Text): Promise<Progress> {
  if (io.stderr.isTTY !== true || outputSettingsOf(io).quiet) return SILENT;
  const shown = inLanguage(io, label);
  const { default: cliProgress } = await import("cli-progress");
  const started = performance.now();
  let known: number | undefined;
  const bar = new cliProgress.SingleBar(
    {
      format: (_options, { value, total }) => {
        const fraction = total === 0 ? known : value / total;
        return formatBar(shown, { done: value, total, fraction, elapsedMs: performance.now() - started });
      },
      stream: io.stderr,
      hideCursor: isColoured(io, io.stderr),
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(0, 0);
  return {
    update(done, total, fraction) {
      known = fraction;
      bar.setTotal(total ?? 0);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

const BAR_WIDTH = 30;
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
}

/** `accepting 2560 ███░░░ 1800/s, 12 s left`: the bar if the fraction is known, the rate after a second. */
export function formatBar(label: string, { done, total, fraction, elapsedMs }: BarState): string {
  const parts = [total === 0 ? `${label} ${done}` : label];
  if (fraction !== undefined) {
    const filled = Math.round(Math.min(1, fraction) * BAR_WIDTH);
    parts.push("█".repeat(filled) + "░".repeat(BAR_WIDTH - filled));
  }
  if (total > 0) parts.push(`${done}/${total}`);
  if (done > 0 && elapsedMs >= RATE_AFTER_MS) parts.push(formatPace(done, fraction, elapsedMs));
  return parts.join(" ");
}

function formatPace(done: number, fraction: number | undefined, elapsedMs: number): string {
  const rate = `${Math.max(1, Math.round((done / elapsedMs) * 1000))}/s`;
  if (fraction === undefined || fraction <= 0) return rate;
  const seconds = Math.ceil((elapsedMs * (1 / Math.min(1, fraction) - 1)) / 1000);
  return `${rate}, ${formatSeconds(seconds)} left`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
