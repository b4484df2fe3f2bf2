/** Progress bars, on a terminal only: elsewhere nothing is written. */
import { isColoured } from "./table.ts";
import type { ProgramIo } from "../io.ts";

export interface Progress {
  /** `total` may grow; undefined while it is not known, which shows the count alone. */
  update(done: number, total?: number): void;
  /** Takes the bar away, so that what is printed next stands on a line of its own. */
  stop(): void;
}

const SILENT: Progress = { update() {}, stop() {} };

/** A bar on stderr labelled `label`, for example `issuing`. */
export async function startProgress(io: ProgramIo, label: string): Promise<Progress> {
  if (io.stderr.isTTY !== true) return SILENT;
  const { default: cliProgress } = await import("cli-progress");
  const bar = new cliProgress.SingleBar(
    {
      format: (options, params, payload) => formatBar(label, params, options.barsize ?? 0, payload),
      stream: io.stderr,
      hideCursor: isColoured(io, io.stderr),
      clearOnComplete: true,
      barsize: 30,
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

function formatBar(label: string, params: { value: number; total: number }, size: number, _payload: unknown): string {
  if (params.total === 0) return `${label} ${params.value}`;
  const share = Math.min(1, params.value / params.total);
  const filled = Math.round(share * size);
  return `${label} ${"█".repeat(filled)}${"░".repeat(size - filled)} ${params.value}/${params.total}`;
}
