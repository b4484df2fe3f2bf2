/** Keeps a number of workers running: starts each again when it has ended, later each time if it ends soon after its start. */
import type { Log } from "../../src/journal/context.ts";
import type { StartWorker, WorkerProcess } from "./worker-process.ts";

/** One place of the crew, and the process that has it. */
export interface Member {
  /** From 1. */
  readonly number: number;
  readonly process: WorkerProcess;
}

export interface CrewOptions {
  count: number;
  log: Log;
  startWorker: StartWorker;
  /** Called with each process that was started. It returns what to do when the process has ended. */
  welcome(member: Member): () => void;
  /** Called when a worker was started again. */
  onRestart(): void;
}

export interface Crew {
  /** Starts all workers. */
  start(): void;
  /** The process of `member` takes connections. */
  ready(member: Member): void;
  /** Resolves when each worker is ready for the first time. Rejects with a WorkerEnded if one ends before. */
  started(): Promise<void>;
  missing(): number;
  /** From now on no worker is started. Resolves when all have ended; those that have not by then are killed after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

/** A worker ended before it was ready. Its exit code is null if a signal ended it. */
export class WorkerEnded extends Error {
  readonly code: number | null;

  constructor(code: number | null) {
    super("A worker process ended while the server was starting");
    this.code = code;
  }
}

const FIRST_DELAY_MS = 100;
const DELAY_MS_MAX = 30_000;
/** A worker that ran for this long has not failed at its start. */
const SETTLED_MS = 60_000;

export function createCrew({ count, log, startWorker, welcome, onRestart }: CrewOptions): Crew {
  const running = new Set<Member>();
  const ready = new Set<Member>();
  const failures = new Map<number, number>();
  const timers = new Set<NodeJS.Timeout>();
  let hasStarted = false;
  let isStopping = false;
  let [onStarted, onFailed, onEmpty]: [() => void, (error: Error) => void, () => void] = [
    NOTHING,
    NOTHING,
    NOTHING,
  ];
  const started = new Promise<void>((resolve, reject) => {
    [onStarted, onFailed] = [resolve, reject];
  });
  // Whoever awaits it gets the error; nobody may, if stopping came first.
  started.catch(NOTHING);

  function start(number: number): void {
    const startedAt = performance.now();
    const member: Member = { number, process: startWorker() };
    running.add(member);
    log.info({ worker: number, pid: member.process.pid }, "a worker starts");
    const onEnd = welcome(member);
    const ended = (code: number | null, signal: string | null) => {
      if (!running.delete(member)) return;
      ready.delete(member);
      onEnd();
      if (running.size === 0) onEmpty();
      if (!hasStarted) onFailed(new WorkerEnded(code));
      if (isStopping || !hasStarted) return;
      const before = performance.now() - startedAt < SETTLED_MS ? (failures.get(number) ?? 0) : 0;
      failures.set(number, before + 1);
      restart(number, delayAfter(before), { exit_code: code, signal });
    };
    member.process.on("exit", ended);
    member.process.on("error", (error) => {
      log.error({ worker: number, error: String(error) }, "a worker failed");
      if (member.process.pid === undefined) ended(null, null);
    });
  }

  function restart(number: number, delayMs: number, fields: Record<string, unknown>): void {
    log.error({ worker: number, ...fields, restart_ms: delayMs }, "a worker ended; it is started again");
    const timer = setTimeout(() => {
      timers.delete(timer);
      onRestart();
      start(number);
    }, delayMs);
    timers.add(timer);
  }

  return {
    start() {
      for (let number = 1; number <= count; number += 1) start(number);
    },
    ready(member) {
      ready.add(member);
      if (ready.size < count) return;
      hasStarted = true;
      onStarted();
    },
    started: () => started,
    missing: () => count - ready.size,
    async stop(deadlineMs) {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      if (running.size === 0) return;
      const cut = setTimeout(() => {
        for (const { process } of running) process.kill("SIGKILL");
      }, deadlineMs);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      clearTimeout(cut);
    },
  };
}

const NOTHING = () => undefined;

function delayAfter(failures: number): number {
  return Math.min(DELAY_MS_MAX, FIRST_DELAY_MS * 2 ** failures);
}
