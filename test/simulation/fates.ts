/** What can go wrong with one request and its answer, and how often. */
import { FAULTS, type Fault } from "../helpers/fake-registry/faults.ts";
import { CHANGE_KINDS, type Change } from "../helpers/gateway-troubles.ts";
import type { Draws } from "./random.ts";

/** The kinds of requests, for which faults are drawn separately. */
export type Operation =
  /** At the authority. */
  | "send"
  | "list"
  | "cancel"
  /** At provider_a: a document, a question about one, and everything about the account. */
  | "issue"
  | "ask"
  | "account"
  /** A webhook. */
  | "hook";

export type Fate =
  /** No connection can be made. */
  | { kind: "refused" }
  /** The connection ends without an answer. */
  | { kind: "cut"; arrives: boolean }
  /** No answer ever comes. */
  | { kind: "silent"; arrives: boolean }
  /** The connection ends at once, and the request arrives after this long. */
  | { kind: "late"; ms: number }
  /** The answer takes this long. */
  | { kind: "slow"; ms: number }
  /** The request arrives twice, and the answers are lost. */
  | { kind: "twice" }
  /** Only the first documents of the message arrive. */
  | { kind: "part"; count: number; answers: boolean }
  /** The authority itself fails or answers wrongly. */
  | { kind: "authority"; fault: Fault }
  /** The answer is garbled on its way. */
  | { kind: "changed"; change: Change }
  /** The receiver's status. */
  | { kind: "status"; status: number };

/** The share of requests that meet a fault. */
export type FaultRates = Readonly<Record<Operation, number>>;

const RATES = [0, 0.1, 0.3, 0.6] as const;

/** Each history has its own rates, so that some faults are frequent in it and others absent. */
export function drawRates(draws: Draws): FaultRates {
  const rate = (operation: Operation) => draws.pick(`rate of ${operation}`, RATES);
  return {
    send: rate("send"),
    list: rate("list"),
    cancel: rate("cancel"),
    issue: rate("issue"),
    ask: rate("ask"),
    account: rate("account"),
    hook: rate("hook"),
  };
}

/** Refuses the account, which a person must repair. */
const BY_PERSON: Fault = "401";
const AUTHORITY_FAULTS = FAULTS.filter((fault) => fault !== BY_PERSON && !fault.startsWith("cut"));

const AT_AUTHORITY: ReadonlySet<Operation> = new Set<Operation>(["send", "list", "cancel"]);

/** Longer than the absence of a document must last, and shorter than the pause before registrations are checked. */
const LATE_MS_MAX = 300_000;
/** Longer than any timeout. */
const SLOW_MS_MAX = 45_000;

/** The fate of the request called `name`. */
export function drawFate(draws: Draws, operation: Operation, name: string): Fate {
  const half = draws.draw(`${name} half`) < 0.5;
  const whole = (what: string, min: number, max: number) => draws.between(`${name} ${what}`, min, max);
  const fates: Fate[] = [
    { kind: "refused" },
    { kind: "cut", arrives: half },
    { kind: "silent", arrives: half },
    { kind: "slow", ms: whole("slow", 1000, SLOW_MS_MAX) },
  ];
  if (operation === "hook") fates.push({ kind: "twice" });
  if (AT_AUTHORITY.has(operation)) {
    const fault = draws.pick(`${name} fault`, AUTHORITY_FAULTS);
    const change = draws.pick(`${name} change`, CHANGE_KINDS);
    fates.push({ kind: "authority", fault }, { kind: "authority", fault }, { kind: "changed", change });
  } else {
    fates.push({ kind: "status", status: draws.pick(`${name} status`, [500, 503, 429]) });
  }
  if (operation === "send") {
    fates.push({ kind: "late", ms: whole("late", 1000, LATE_MS_MAX) }, { kind: "twice" });
    fates.push({ kind: "part", count: whole("part", 1, 3), answers: half });
  }
  return draws.pick(`${name} fate`, fates);
}

/** The fate in few words. */
export function describeFate(fate: Fate): string {
  switch (fate.kind) {
    case "cut":
    case "silent":
      return `${fate.kind} ${fate.arrives ? "after" : "before"} arriving`;
    case "late":
    case "slow":
      return `${fate.kind} by ${Math.round(fate.ms / 1000)} s`;
    case "part":
      return `first ${fate.count} arrive${fate.answers ? "" : ", no answer"}`;
    case "authority":
      return fate.fault;
    case "changed":
      return `answer ${fate.change}`;
    case "status":
      return `status ${fate.status}`;
    default:
      return fate.kind;
  }
}
