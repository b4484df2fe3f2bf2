/** One process of the product: a server over the shared database, with its own clock, timers and connections. */
import type Database from "better-sqlite3";
import { type Appliance, openAppliance } from "../../src/appliance.ts";
import type { Config } from "../../src/config/config.ts";
import type { Log } from "../../src/journal/context.ts";
import type { Disk } from "./disk.ts";
import { type Killing, ProcessEnded } from "./killing.ts";
import type { Network } from "./network.ts";
import { type Host, type Request, type Response, runIn, type Timer } from "./platform.ts";
import type { Timeline } from "./timeline.ts";

/** What the processes of one history share. */
export interface Machine {
  readonly timeline: Timeline;
  readonly disk: Disk;
  readonly network: Network;
  readonly config: Config;
  /** What the machine's clock is ahead. */
  clockAheadMs(): number;
  random(): number;
  note(who: string, what: string): void;
  complain(rule: string, what: string): void;
  /** Runs in a later turn of the event loop of the process. */
  takeTurn(process: SimulatedProcess, run: () => void): void;
  ended(process: SimulatedProcess): void;
}

const QUIET: ReadonlySet<string> = new Set(["debug", "info"]);

export class SimulatedProcess implements Host {
  readonly name: string;
  readonly machine: Machine;
  readonly connections = new Set<Database.Database>();
  readonly startedMs: number;
  /** What the clock of this process is ahead of the machine's. */
  readonly skewMs: number;
  isAlive = true;
  killing: Killing | undefined;
  /** Set once it has started. */
  appliance: Appliance | undefined;

  constructor(name: string, machine: Machine, skewMs: number) {
    this.name = name;
    this.machine = machine;
    this.skewMs = skewMs;
    this.startedMs = machine.timeline.nowMs();
  }

  /** Opens the appliance and starts issuing and deliveries. A start that fails ends the process, as it would the program. */
  async start(): Promise<void> {
    const { machine } = this;
    try {
      this.appliance = await runIn(this, async () => {
        const appliance = await openAppliance({ config: machine.config, log: this.#log() });
        await appliance.startScheduler({ webhooks: true });
        return appliance;
      });
      machine.note(this.name, "serves");
    } catch (error) {
      this.end(`could not start: ${String(error)}`);
    }
  }

  end(why: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.appliance = undefined;
    this.machine.note(this.name, `ended: ${why}`);
    this.machine.ended(this);
  }

  nowMs(): number {
    return this.machine.timeline.nowMs() + this.machine.clockAheadMs() + this.skewMs;
  }

  elapsedMs(): number {
    return this.machine.timeline.nowMs() - this.startedMs;
  }

  random(): number {
    return this.machine.random();
  }

  startTimer(run: () => void, delayMs: number, isTick: boolean): Timer {
    const atMs = this.machine.timeline.nowMs() + Math.max(1, delayMs);
    const runHere = () => {
      if (this.isAlive) runIn(this, run);
    };
    return this.machine.timeline.at(atMs, runHere, isTick);
  }

  takeTurn(run: () => void): void {
    this.machine.takeTurn(this, () => {
      if (this.isAlive) runIn(this, run);
    });
  }

  request(request: Request): Promise<Response> {
    // Nobody waits for the response any more.
    if (!this.isAlive) return new Promise(() => {});
    return this.machine.network.carry(this, request);
  }

  execute(database: Database.Database, sql: string, isReadOnly: boolean, run: () => unknown): unknown {
    if (!this.isAlive) throw new ProcessEnded();
    return this.machine.disk.execute(this, { database, sql, isReadOnly, run });
  }

  connected(database: Database.Database): void {
    if (!this.isAlive) throw new ProcessEnded();
    this.connections.add(database);
  }

  freeBytes(): number {
    return this.machine.disk.freeBytes();
  }

  failed(error: unknown): void {
    if (!this.isAlive) return;
    this.machine.complain("crash", `${this.name} ended with an error that nothing handles: ${String(error)}`);
    this.end("crashed");
  }

  #log(): Log {
    const note = (level: string) => (fields: Record<string, unknown>, message: string) => {
      if (this.isAlive && !QUIET.has(level))
        this.machine.note(this.name, `${level}: ${message} ${JSON.stringify(fields)}`);
    };
    return { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  }
}
