/** Progress bars, on a terminal only: elsewhere, and with `--quiet`, nothing is written. */
import { mannersOf, type ProgramIo } from "../io.ts";
import { isColoured } from "./screen.ts";

export interface Progress {
  /** `total` may grow; undefined while it is not known, which shows the count alone. */
  update(done: number, total?: number): void;
  /** Takes the bar away, so that what is printed next stands on a line of its own. */
  stop(): void;
}

const SILENT: Progress = { update() {}, stop() {} };

/** A bar on stderr labelled `label`, for example `issuing`. */
export async function startProgress(io: ProgramIo, label: string): Promise<Progress> {
  const { quiet, language } = mannersOf(io);
  if (io.stderr.isTTY !== true || quiet) return SILENT;
  const shown = language.text(label);
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar(
    {
      format: (_options, params) => formatBar(shown, params.value, params.total),
      stream: io.stderr,
      hideCursor: isColoured(io, io.stderr),
      clearOnComplete: true,
    },
    cliProgress.Presets.shades_classic,
  );
  bar.start(0, 0);
  return {
    update(done, total) {
      bar.setTotal(total ?? 0);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

const BAR_WIDTH = 30;

function formatBar(label: string, value: number, total: number): string {
  if (total === 0) return `${label} ${value}`;
  const filled = Math.round(Math.min(1, value / total) * BAR_WIDTH);
  return `${label} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${value}/${total}`;
}
