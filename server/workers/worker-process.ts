/** A process that the main process of a server starts to answer requests. */
import type { Port } from "./channel.ts";

/** What Node's ChildProcess offers of it. */
export interface WorkerProcess extends Port {
  readonly pid?: number | undefined;
  kill(signal: "SIGKILL"): boolean;
  on(event: "message", listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Starts `fiscal __worker` with a channel to this process. */
export type StartWorker = () => WorkerProcess;
