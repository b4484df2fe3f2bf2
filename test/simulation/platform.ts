/**
 * Replaces what the program gets from Node: the clock, timers, turns of the event loop, random numbers, HTTP requests, SQLite
 * statements and the free space of the disk. Code of a simulated process gets the simulated ones; everything else in this
 * program, the simulator included, keeps the real ones. The product is not changed for this.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import fs from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import type Database from "better-sqlite3";

/** What a simulated process offers to the code that runs in it. */
export interface Host {
  /** The clock that the process sees. */
  nowMs(): number;
  /** Milliseconds since some moment, whatever the clock does. */
  elapsedMs(): number;
  random(): number;
  /** `isTick`: the timer only looks for work. */
  startTimer(run: () => void, delayMs: number, isTick: boolean): Timer;
  /** Runs in a later turn of the event loop. */
  takeTurn(run: () => void): void;
  request(request: Request): Promise<Response>;
  /** Runs a statement, or fails as the disk would. */
  execute(database: Database.Database, sql: string, isReadOnly: boolean, run: () => unknown): unknown;
  /** Called for each connection that the process opens. */
  connected(database: Database.Database): void;
  freeBytes(): number;
  /** A promise was rejected and nobody handles it, which ends a program. */
  failed(error: unknown): void;
}

export interface Timer {
  cancel(): void;
}

export interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | undefined;
}

export interface Response {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const context = new AsyncLocalStorage<Host>();

/** Runs `work` as code of the process. */
export function runIn<T>(host: Host, work: () => T): T {
  return context.run(host, work);
}

export function currentHost(): Host | undefined {
  return context.getStore();
}

const realSetImmediate = globalThis.setImmediate;
/** Resources that stay open without any work being under way. */
const IDLE_RESOURCES = /^(TTYWrap|PipeWrap|Timeout|Immediate|MessagePort|SignalWrap|FSEventWrap|TickObject)$/;

/** Resolves once no code can continue by itself: all promises have run, and nothing real such as loading a module is under way. */
export async function quiesce(): Promise<void> {
  do await new Promise<void>((turn) => realSetImmediate(turn));
  while (process.getActiveResourcesInfo().some((name) => !IDLE_RESOURCES.test(name)));
}

let isInstalled = false;

export function installPlatform(): void {
  if (isInstalled) return;
  isInstalled = true;
  replaceTime();
  replaceTimers();
  replaceRandomness();
  replaceRequests();
  replaceDatabase();
  const { statfsSync } = fs;
  const fake = (path: fs.PathLike) => {
    const host = currentHost();
    if (host === undefined) return statfsSync(path);
    return { bavail: Math.floor(host.freeBytes() / 4096), bsize: 4096 };
  };
  fs.statfsSync = fake as typeof fs.statfsSync;
  syncBuiltinESMExports();
}

function replaceTime(): void {
  const RealDate = Date;
  const realNow = performance.now.bind(performance);
  class SimulatedDate extends RealDate {
    constructor(...parts: [] | [number | string]) {
      if (parts.length === 0) super(SimulatedDate.now());
      else super(...(parts as [number]));
    }
    static override now(): number {
      return currentHost()?.nowMs() ?? RealDate.now();
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor;
  performance.now = () => currentHost()?.elapsedMs() ?? realNow();
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (delayMs) => {
    const host = currentHost();
    if (host === undefined) return realTimeout(delayMs);
    const ending = new AbortController();
    const late = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    host.startTimer(() => ending.abort(late), delayMs, false);
    return ending.signal;
  };
}

/** The scheduler's ticks, by the code that croner passes to setTimeout. */
const TICK = /_checkTrigger/;

/** What the product uses of a timer. */
class SimulatedTimeout {
  readonly timer: Timer;
  constructor(timer: Timer) {
    this.timer = timer;
  }
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
}

function replaceTimers(): void {
  const { setTimeout: realSet, clearTimeout: realClear, setInterval: realInterval } = globalThis;
  const set = (run: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) => {
    const host = currentHost();
    if (host === undefined) return realSet(run, delayMs, ...values);
    const isTick = TICK.test(Function.prototype.toString.call(run));
    return new SimulatedTimeout(host.startTimer(() => run(...values), delayMs, isTick));
  };
  const clear = (timer: unknown) => {
    if (timer instanceof SimulatedTimeout) timer.timer.cancel();
    else realClear(timer as NodeJS.Timeout);
  };
  const immediate = (run: (...values: unknown[]) => void, ...values: unknown[]) => {
    const host = currentHost();
    if (host === undefined) return realSetImmediate(run, ...values);
    host.takeTurn(() => run(...values));
    return undefined;
  };
  const interval = (run: () => void, delayMs: number) => {
    if (currentHost() !== undefined) throw new Error("The simulator has no intervals");
    return realInterval(run, delayMs);
  };
  Object.assign(globalThis, {
    setTimeout: set,
    clearTimeout: clear,
    setImmediate: immediate,
    setInterval: interval,
  });
}

function replaceRandomness(): void {
  const realRandom = Math.random;
  const { randomFillSync, randomBytes, randomUUID } = crypto;
  const fill = <T extends NodeJS.ArrayBufferView>(buffer: T, random: () => number): T => {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(random() * 256);
    return buffer;
  };
  Math.random = () => currentHost()?.random() ?? realRandom();
  const replaced = {
    randomFillSync(buffer: Uint8Array) {
      const host = currentHost();
      return host === undefined ? randomFillSync(buffer) : fill(buffer, () => host.random());
    },
    randomBytes(size: number) {
      const host = currentHost();
      return host === undefined ? randomBytes(size) : fill(Buffer.alloc(size), () => host.random());
    },
    randomUUID() {
      const host = currentHost();
      if (host === undefined) return randomUUID();
      const hex = fill(Buffer.alloc(16), () => host.random()).toString("hex");
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  };
  Object.assign(crypto, replaced);
}

const require = createRequire(import.meta.url);

/** undici's `request`, as far as the product uses its response. */
function replaceRequests(): void {
  const undici = require("undici") as { request: unknown };
  undici.request = async (url: string, options: Omit<Request, "url">) => {
    const host = currentHost();
    if (host === undefined) throw new Error("Only simulated processes send requests");
    const { method, headers, body, signal } = options;
    const {
      status,
      headers: received,
      body: text,
    } = await host.request({ url, method, headers, body, signal });
    const bytes = new TextEncoder().encode(text);
    return {
      statusCode: status,
      headers: received,
      body: {
        arrayBuffer: async () => bytes.buffer,
        async *[Symbol.asyncIterator]() {
          yield Buffer.from(bytes);
        },
        destroy() {},
      },
    };
  };
}

type Prepared = Database.Statement<unknown[]>;

function replaceDatabase(): void {
  const { prototype } = require("better-sqlite3") as { prototype: Database.Database };
  const { prepare, pragma } = prototype;
  const replaced = {
    prepare(this: Database.Database, sql: string): Prepared {
      const host = currentHost();
      const statement = prepare.call(this, sql) as Prepared;
      if (host === undefined) return statement;
      host.connected(this);
      const { readonly } = statement;
      for (const name of ["run", "get", "all"] as const) {
        const native = statement[name] as (...values: unknown[]) => unknown;
        const run = (...values: unknown[]) =>
          host.execute(this, sql, readonly, () => native.apply(statement, values));
        Object.assign(statement, { [name]: run });
      }
      return statement;
    },
    pragma(this: Database.Database, ...parameters: Parameters<typeof pragma>): unknown {
      const host = currentHost();
      if (host === undefined) return pragma.apply(this, parameters);
      host.connected(this);
      return host.execute(this, "pragma", true, () => pragma.apply(this, parameters));
    },
  };
  Object.assign(prototype, replaced);
}
