/** One machine with its disk, clock and processes, and the network around it. Runs one event at a time. */
import type { Config } from "../../src/config/config.ts";
import { createDisk, type Disk } from "./disk.ts";
import { createNetwork, type Destination, type Network, type NetworkOptions } from "./network.ts";
import { quiesce } from "./platform.ts";
import { type Machine, SimulatedProcess } from "./simulated-process.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

export interface WorldOptions {
  config: Config;
  startMs: number;
  random(): number;
  destinationOf(url: URL): Destination;
  fateOf: NetworkOptions["fateOf"];
  note(who: string, what: string): void;
  complain(rule: string, what: string): void;
}

/** How many turns in a row are taken as progress; more means that a process is busy for ever. */
const TURNS_MAX = 20_000;

export class World implements Machine {
  readonly timeline: Timeline;
  readonly disk: Disk;
  readonly network: Network;
  readonly config: Config;
  readonly processes = new Set<SimulatedProcess>();
  /** Turns of the event loop that processes wait for, in order. */
  readonly #turns: { process: SimulatedProcess; run: () => void }[] = [];
  readonly #ended: SimulatedProcess[] = [];
  readonly #options: WorldOptions;
  #aheadMs = 0;
  /** Called when processes have ended. `isMachine`: all of them, because the machine stopped. */
  onEnd: (ended: readonly SimulatedProcess[]) => void = () => undefined;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.config = options.config;
    this.timeline = createTimeline(options.startMs);
    this.disk = createDisk({ file: options.config.storage.database, random: options.random });
    this.network = createNetwork({ ...options, timeline: this.timeline });
  }

  clockAheadMs(): number {
    return this.#aheadMs;
  }

  setClockAhead(ms: number): void {
    this.note("clock", `${ms >= 0 ? "+" : ""}${Math.round(ms / 1000)} s`);
    this.#aheadMs = ms;
  }

  random(): number {
    return this.#options.random();
  }

  note(who: string, what: string): void {
    this.#options.note(who, what);
  }

  complain(rule: string, what: string): void {
    this.#options.complain(rule, what);
  }

  startProcess(name: string, skewMs: number): SimulatedProcess {
    const process = new SimulatedProcess(name, this, skewMs);
    this.processes.add(process);
    void process.start();
    return process;
  }

  takeTurn(process: SimulatedProcess, run: () => void): void {
    this.#turns.push({ process, run });
  }

  ended(process: SimulatedProcess): void {
    this.#ended.push(process);
  }

  /** Stops every process at once. */
  stopMachine(why: string): void {
    for (const process of this.processes) process.end(why);
  }

  /** Runs the next event and everything that follows from it at once; false if nothing is planned. See `Timeline.step`. */
  async step(dueMs = this.timeline.nowMs()): Promise<boolean> {
    const isRunning = this.timeline.step(dueMs);
    await this.#settle();
    return isRunning;
  }

  /** Runs until all processes wait. */
  async #settle(): Promise<void> {
    await quiesce();
    for (let turns = 0; this.#turns.length > 0; turns += 1) {
      if (turns > TURNS_MAX) throw new Error("The processes never come to rest");
      this.#takeNextTurn();
      await quiesce();
      this.#buryEnded();
    }
    this.#buryEnded();
  }

  /** The turns of one process keep their order; those of several processes mix. */
  #takeNextTurn(): void {
    const waiting = [...new Set(this.#turns.map(({ process }) => process))];
    const chosen = waiting[Math.floor(this.random() * waiting.length)];
    const index = this.#turns.findIndex(({ process }) => process === chosen);
    this.#turns.splice(index, 1)[0]?.run();
  }

  #buryEnded(): void {
    if (this.#ended.length === 0) return;
    // A commit that is cut off cuts off the machine.
    if (this.#ended.some(({ killing }) => killing?.how === "torn")) this.stopMachine("the machine stopped");
    const ended = this.#ended.splice(0);
    for (const process of ended) this.processes.delete(process);
    const connections = ended.flatMap((process) => [...process.connections]);
    if (this.processes.size === 0) this.disk.stopMachine(connections);
    else for (const connection of connections) connection.close();
    this.onEnd(ended);
  }
}
