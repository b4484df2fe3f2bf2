/** Starts the receiver of webhook deliveries. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

interface Receiver {
  url: string;
  /** Milliseconds from the first delivery to the last, once all have arrived. */
  elapsedMs: Promise<number>;
  stop(): Promise<void>;
}

export async function startReceiver(deliveries: number): Promise<Receiver> {
  const child: ChildProcess = fork(join(import.meta.dirname, "webhook-receiver.ts"), [String(deliveries)]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const elapsedMs = once(child, "message").then(([message]) => (message as { elapsedMs: number }).elapsedMs);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    elapsedMs,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
