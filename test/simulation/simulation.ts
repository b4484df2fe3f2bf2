/** Plays one history: a storm of faults, then calm until all work is done. The seed determines everything in it. */
import type { PlannedAccident } from "./accidents.ts";
import { createClients, REFUSED_SERIES } from "./clients.ts";
import type { Fate, Operation } from "./fates.ts";
import { AUTHORITY_URL, createAuthorityHost, createReceiverHost, type ReceiverHost } from "./hosts.ts";
import { Inspection, type Violation } from "./inspection.ts";
import { ACCOUNTS } from "./merchants.ts";
import type { Description } from "./network.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { type Prepared, START_MS } from "./prepared.ts";
import { createProgress } from "./progress.ts";
import { createProviderAHost, type ProviderAHost, PROVIDER_A_URL } from "./provider-a-host.ts";
import { createDraws, type Draws } from "./random.ts";
import { createTurns } from "./turns.ts";
import { World } from "./world.ts";

export interface History {
  seed: number;
  violations: Violation[];
  lines: string[];
  steps: number;
  documents: number;
  /** The orders and faults that happened, by name, with the kind of each fault. */
  happened: Map<string, string>;
}

/** Everything after the storm must be done by then. The longest wait is a retry of a webhook, after eight minutes. */
const SETTLED_MS_MAX = 20 * 60_000;
/** Checks for second registrations take hours. */
const CHECKED_MS_MAX = 72 * 3_600_000;
/** How long after a jump of the clock the scheduler is as punctual as on an idle machine. */
const NOTICED_MS = 3000;
/** How often clients retry failed documents, and people cancel again. */
const RETRY_MS = 30_000;
const CANCEL_MS = 20_000;
/** How long a server takes to start again. */
const RESTART_MS_MAX = 15_000;

export interface PlayOptions {
  /** The orders and faults that do not happen. */
  without?: ReadonlySet<string>;
  /** Default: whatever the seed says. */
  plan?: (draws: Draws) => Plan;
}

export async function play(seed: number, prepared: Prepared, options: PlayOptions = {}): Promise<History> {
  const simulation = new Simulation(seed, prepared, options);
  try {
    await simulation.play();
  } finally {
    simulation.close();
  }
  return simulation.history;
}

class Simulation {
  readonly history: History;
  readonly #without: ReadonlySet<string>;
  readonly #draws: Draws;
  readonly #plan: Plan;
  readonly #world: World;
  readonly #authority;
  readonly #providerA: ProviderAHost;
  readonly #receiver: ReceiverHost;
  readonly #clients;
  readonly #inspection: Inspection;
  readonly #outages = new Map<Operation, Fate>();
  readonly #turns = createTurns(() => this.#world.timeline.nowMs());
  #isStorm = true;
  #isSettled = false;
  #started = 0;
  #startedAtMs = 0;
  readonly #skewsMs = new Set<number>();
  #urgentUntilMs = 0;

  constructor(seed: number, prepared: Prepared, { without = new Set(), plan = drawPlan }: PlayOptions) {
    this.history = { seed, violations: [], lines: [], steps: 0, documents: 0, happened: new Map() };
    this.#without = without;
    this.#draws = createDraws(seed);
    this.#plan = plan(this.#draws);
    const config = prepared.copy();
    this.#world = new World({
      config,
      startMs: START_MS + 60_000,
      random: this.#draws.sequence("product"),
      destinationOf: ({ origin }) =>
        origin === AUTHORITY_URL
          ? this.#authority
          : origin === PROVIDER_A_URL
            ? this.#providerA
            : this.#receiver,
      fateOf: (name, request) => this.#fateOf(name, request),
      note: (who, what) => this.#note(who, what),
      complain: (rule, what) => this.#complain(rule, what),
    });
    this.#authority = createAuthorityHost(
      {
        accounts: ACCOUNTS,
        pageSize: 3,
        replacing: this.#draws.pick("replacing", ["flagged", "unflagged"] as const),
        nowMs: () => this.#world.timeline.nowMs(),
      },
      (what) => this.#complain("absence", what),
    );
    this.#receiver = createReceiverHost(
      prepared.secret,
      () => this.#world.timeline.nowMs() + this.#world.clockAheadMs(),
      (what) => this.#complain("signatures", what),
    );
    this.#providerA = createProviderAHost({
      nowMs: () => this.#world.timeline.nowMs(),
      draw: this.#draws.sequence("provider_a"),
    });
    this.#authority.authority.refuse(REFUSED_SERIES, "102", "Vat number is not active");
    this.#clients = createClients(this.#world, prepared.merchants, (what) => this.#complain("clients", what));
    this.#inspection = new Inspection({
      file: config.storage.database,
      ledger: this.#authority.authority.ledger,
      deliveryDelaysSeconds: config.webhooks.delaysSeconds,
      started: () => this.#started,
      progress: createProgress({
        nowMs: () => this.#world.timeline.nowMs(),
        clocksApartMs: () => Math.max(...this.#skewsMs) - Math.min(...this.#skewsMs),
        steadySinceMs: () => Math.max(this.#urgentUntilMs, this.#startedAtMs),
        attemptsMax: config.issuing.delaysSeconds.length,
        isDoubtful: (uid) => this.#authority.doubts.isDoubtful(uid),
        complain: (rule, what) => this.#complain(rule, what),
      }),
      providerA: this.#providerA,
      receiver: this.#receiver,
      accepted: this.#clients.accepted,
      orders: new Map(this.#plan.orders.map((order) => [order.name, order])),
      nowMs: () => this.#world.timeline.nowMs(),
      commits: () => this.#world.disk.commits,
      turns: this.#turns,
      complain: ({ rule, what }) => this.#complain(rule, what),
    });
    this.#world.onEnd = (ended) => {
      this.#turns.disturbed("all");
      this.#clients.repeat(ended);
      if (this.#world.processes.size === 0) this.#inspection.close();
      for (const { name } of ended) this.#restart(name);
    };
  }

  async play(): Promise<void> {
    const { timeline } = this.#world;
    for (let index = 0; index < this.#plan.servers; index += 1) this.#start(`s${index + 1}`);
    this.#planStorm();
    if (this.#plan.orders.some(({ isCancelled }) => isCancelled)) this.#cancelAgain();
    timeline.at(timeline.nowMs(), () => undefined);
    const stormEndMs = timeline.nowMs() + this.#plan.stormMs;
    timeline.at(stormEndMs, () => this.#endStorm());
    await this.#runUntil(() => !this.#isStorm, stormEndMs);
    await this.#settle(stormEndMs + SETTLED_MS_MAX);
    if (this.history.violations.length > 0) return;
    await this.#runUntil(() => this.#inspection.open().checks === 0, stormEndMs + CHECKED_MS_MAX);
    if (this.#inspection.open().checks > 0)
      this.#complain("liveness", "checks for second registrations never end");
    await this.#inspection.atEnd();
  }

  close(): void {
    this.#world.onEnd = () => undefined;
    for (const process of this.#world.processes) {
      process.isAlive = false;
      for (const connection of process.connections) connection.close();
    }
    this.#inspection.close();
  }

  /** Runs until every document has its outcome and every event is delivered. Failed documents are retried. */
  async #settle(limitMs: number): Promise<void> {
    const isSettled = () => {
      const { pending, failed, uncancelled } = this.#inspection.unsettled();
      const left = pending.length + failed.length + uncancelled.length + this.#clients.waiting();
      return left === 0 && this.#inspection.open().deliveries === 0;
    };
    const retry = () => {
      this.#clients.retry(this.#inspection.unsettled().failed);
      if (!isSettled()) this.#later(RETRY_MS, retry);
    };
    this.#later(5000, retry);
    await this.#runUntil(isSettled, limitMs);
    this.#isSettled = true;
    if (this.history.violations.length > 0) return;
    const { pending, failed, uncancelled } = this.#inspection.unsettled();
    for (const id of [...pending, ...failed]) this.#complain("liveness", `${id} has no outcome`);
    for (const id of uncancelled) this.#complain("liveness", `${id} is not cancelled`);
    const { deliveries } = this.#inspection.open();
    if (deliveries > 0) this.#complain("liveness", `${deliveries} deliveries were not made`);
    if (this.#clients.waiting() > 0) this.#complain("liveness", "orders were not answered");
  }

  /** A person cancels documents, and tries again until it has succeeded. */
  #cancelAgain(): void {
    if (this.#isServing()) this.#clients.cancel(this.#inspection.unsettled().uncancelled);
    if (!this.#isSettled) this.#later(CANCEL_MS, () => this.#cancelAgain());
  }

  /** Runs step by step, and checks after each. Stops at a violation. */
  async #runUntil(isDone: () => boolean, limitMs: number): Promise<void> {
    const { timeline } = this.#world;
    while (timeline.nowMs() <= limitMs && this.history.violations.length === 0) {
      if (!(await this.#world.step(this.#dueMs()))) throw new Error("Nothing is planned any more");
      this.history.steps += 1;
      if (!this.#isServing()) continue;
      await this.#inspection.afterStep();
      if (isDone()) return;
    }
  }

  #isServing(): boolean {
    return [...this.#world.processes].some(({ appliance }) => appliance !== undefined);
  }

  /** When there is anything to do for the scheduler. */
  #dueMs(): number {
    const { timeline } = this.#world;
    if (!this.#isServing() || timeline.nowMs() < this.#urgentUntilMs) return timeline.nowMs();
    return this.#inspection.nextDueMs() - this.#world.clockAheadMs();
  }

  #planStorm(): void {
    const { timeline } = this.#world;
    const orders = this.#plan.orders.filter(({ name }) => !this.#without.has(name));
    this.history.documents += orders.length;
    for (const { name } of orders) this.history.happened.set(name, "order");
    // Those of one moment are accepted together, so that they can share messages.
    for (const [afterMs, together] of Map.groupBy(orders, (order) => order.afterMs))
      timeline.at(timeline.nowMs() + afterMs, () => together.forEach((order) => this.#clients.order(order)));
    for (const planned of this.#plan.accidents)
      timeline.at(timeline.nowMs() + planned.afterMs, () => this.#happen(planned));
  }

  #happen({ name, accident }: PlannedAccident): void {
    if (!this.#isStorm || this.#without.has(name)) return;
    this.#turns.disturbed("all");
    const { disk } = this.#world;
    switch (accident.kind) {
      case "kill": {
        const process = [...this.#world.processes][accident.server];
        if (process === undefined) return;
        process.killing = { ...accident.killing };
        return this.#record(name, `kill (${accident.killing.how})`);
      }
      case "power cut":
        this.#record(name, "power cut");
        return this.#world.stopMachine("power cut");
      case "clock":
        if (this.#world.clockAheadMs() === accident.aheadMs) return;
        this.#record(name, "clock jump");
        return this.#setClock(accident.aheadMs);
      case "disk":
        this.#record(name, `disk ${accident.trouble}`);
        disk.trouble = accident.trouble;
        return this.#later(accident.lastsMs, () => {
          disk.trouble = undefined;
          this.#note("disk", "sound again");
        });
      case "outage":
        this.#record(name, `outage of ${accident.operation} (${accident.fate.kind})`);
        this.#outages.set(accident.operation, accident.fate);
        return this.#later(accident.lastsMs, () => void this.#outages.delete(accident.operation));
      case "listing":
        this.#record(name, `listings ${accident.delayMs / 1000} s late`);
        this.#authority.authority.listingDelayMs = accident.delayMs;
    }
  }

  #endStorm(): void {
    this.#note("storm", "ends");
    this.#isStorm = false;
    this.#turns.disturbed("all");
    this.#outages.clear();
    this.#world.disk.trouble = undefined;
    this.#authority.authority.listingDelayMs = 0;
    for (const process of this.#world.processes) process.killing = undefined;
    if (this.#world.clockAheadMs() !== 0) this.#setClock(0);
  }

  #setClock(aheadMs: number): void {
    this.#world.setClockAhead(aheadMs);
    this.#urgentUntilMs = this.#world.timeline.nowMs() + NOTICED_MS;
  }

  #fateOf(name: string, request: Description): Fate | undefined {
    const { operation, merchant } = request;
    if (!this.#isStorm) return undefined;
    const outage = this.#outages.get(operation);
    const fate = outage ?? this.#plan.fateOf(name, request);
    if (fate === undefined || this.#without.has(name)) return undefined;
    if (outage === undefined) this.history.happened.set(name, `${operation}: ${fate.kind}`);
    if (operation !== "list" && operation !== "cancel" && merchant !== undefined)
      this.#turns.disturbed(merchant);
    return fate;
  }

  #start(name: string): void {
    this.#started += 1;
    this.#startedAtMs = this.#world.timeline.nowMs();
    const skewMs = this.#draws.between(`skew of ${name}`, -1500, 1500);
    this.#skewsMs.add(skewMs);
    this.#world.startProcess(name, skewMs);
  }

  #restart(name: string): void {
    const delayMs = this.#draws.between(`restart ${this.#started} of ${name}`, 100, RESTART_MS_MAX);
    this.#later(delayMs, () => this.#start(name));
  }

  #later(ms: number, run: () => void): void {
    this.#world.timeline.at(this.#world.timeline.nowMs() + ms, run);
  }

  #record(name: string, kind: string): void {
    this.history.happened.set(name, kind);
    this.#note(name, kind);
  }

  #complain(rule: string, what: string): void {
    this.history.violations.push({ rule, what });
    this.#note("VIOLATION", `${rule}: ${what}`);
  }

  #note(who: string, what: string): void {
    const seconds = (this.#world.timeline.nowMs() - START_MS - 60_000) / 1000;
    this.history.lines.push(`+${seconds.toFixed(3)}s ${who} ${what}`);
  }
}
