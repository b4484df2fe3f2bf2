/** Claims due deliveries for one process, as many as it has free slots for, with a limit for each endpoint. */
import { type DueEndpoint, findDueEndpoints, type DeliveryRow } from "../../storage/webhooks/deliveries.ts";
import { sortById } from "../../storage/database/lists.ts";
import { type EndpointRow, findEndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { inTurn } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import { claimWork, dueIn } from "../work/work-off.ts";
import { deliveriesOf } from "../work/kinds.ts";

export interface Claimed {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
}

/** The slots taken for an endpoint that has due deliveries. */
interface Reservation {
  endpointId: string;
  count: number;
}

/**
 * Returns a function that claims due deliveries. Each of them has a slot, which the caller frees once the attempt has ended.
 * Calls must not overlap.
 */
export function createDeliveryClaimer(
  context: Context,
  slots: Slots,
  alive: () => Iterable<string>,
): () => Promise<Claimed[]> {
  const kind = deliveriesOf(context.config);
  let firstOfRound = "";
  return async () => {
    // With the read connection, so that an idle queue takes no write lock.
    const due = await findDueEndpoints(context.store.read, { due: context.clock.now() });
    const endpoints = startingAfter(firstOfRound, due);
    firstOfRound = endpoints[0]?.id ?? firstOfRound;
    const reservations = reserveSlots(slots, endpoints);
    let claimed: Claimed[] = [];
    try {
      if (reservations.length > 0) claimed = await context.store.add(CLAIMS, { kind, reservations, alive });
      return claimed;
    } finally {
      giveBackUnused(slots, reservations, claimed);
    }
  };
}

/** `endpoints` from the one after `id` on: each round starts with a different one, so that none is always last. */
function startingAfter(id: string, endpoints: readonly DueEndpoint[]): DueEndpoint[] {
  const at = endpoints.findIndex((endpoint) => endpoint.id > id);
  return [...endpoints.slice(Math.max(at, 0)), ...endpoints.slice(0, Math.max(at, 0))];
}

function reserveSlots(slots: Slots, endpoints: readonly DueEndpoint[]): Reservation[] {
  const reservations: Reservation[] = [];
  for (const { id, mode, failures } of endpoints) {
    const count = slots.free(id, mode, failures > 0);
    if (count === 0) continue;
    slots.take(id, count);
    reservations.push({ endpointId: id, count });
  }
  return reservations;
}

interface Claim {
  kind: ReturnType<typeof deliveriesOf>;
  reservations: readonly Reservation[];
  alive(): Iterable<string>;
}

/** Together with the results of attempts, after which the queue usually claims more. */
const CLAIMS = inTurn(async (trx, { kind, reservations, alive }: Claim) => {
  const [firstDelaySeconds = 0] = kind.delaysSeconds;
  const firstDue = dueIn(trx, -firstDelaySeconds * 1000);
  const claimed: Claimed[] = [];
  for (const { endpointId, count: limit } of reservations) {
    // Read again inside the write: it may have been disabled, or have a new address or secret.
    const endpoint = await findEndpointRow(trx, { id: endpointId });
    if (endpoint?.status !== "enabled") continue;
    const rows = await claimWork(trx, kind, { endpointId, firstDue }, { limit, alive: alive() });
    // In the order of their events.
    for (const delivery of sortById(rows)) claimed.push({ delivery, endpoint });
  }
  return claimed;
});

function giveBackUnused(
  slots: Slots,
  reservations: readonly Reservation[],
  claimed: readonly Claimed[],
): void {
  for (const { endpointId, count } of reservations) {
    const used = claimed.filter(({ endpoint }) => endpoint.id === endpointId).length;
    slots.giveBack(endpointId, count - used);
  }
}

/** A receiver that takes longer counts as slow. */
const SLOW_MS = 1_000;

export type Slots = ReturnType<typeof createSlots>;

/**
 * `total` is the number of slots, at least one. Of those that a mode may use, slow endpoints share half and new ones a quarter, so that
 * however many there are, the rest is for those that respond. Test deliveries may use three quarters of all.
 */
export function createSlots(total: number) {
  const share = (slots: number, part: number) => Math.max(1, Math.ceil(slots * part));
  const usable: Readonly<Record<Mode, number>> = { live: total, test: share(total, 0.75) };
  const inProgress = new Map<string, number>();
  const modes = new Map<string, Mode>();
  const quick = new Set<string>();
  const slow = new Set<string>();

  function add(endpointId: string, count: number): void {
    const own = ownOf(endpointId) + count;
    if (own === 0) inProgress.delete(endpointId);
    else inProgress.set(endpointId, own);
  }

  function sum(counts: (endpointId: string) => boolean): number {
    let slots = 0;
    for (const [endpointId, count] of inProgress) if (counts(endpointId)) slots += count;
    return slots;
  }

  /** An equal share of the half for slow endpoints of the mode. */
  function slowShare(endpointId: string, mode: Mode): number {
    let sharing = 1;
    for (const other of inProgress.keys())
      if (slow.has(other) && modes.get(other) === mode && other !== endpointId) sharing += 1;
    return Math.max(1, Math.floor(share(usable[mode], 0.5) / sharing));
  }

  function ownOf(endpointId: string): number {
    return inProgress.get(endpointId) ?? 0;
  }

  /** What the endpoint may use beside the limits of its mode. */
  function allowance(endpointId: string, mode: Mode): number {
    const isOfMode = (other: string) => modes.get(other) === mode;
    if (quick.has(endpointId)) return share(usable[mode], 0.5) - ownOf(endpointId);
    if (slow.has(endpointId)) {
      const left = share(usable[mode], 0.5) - sum((other) => slow.has(other) && isOfMode(other));
      return Math.min(left, slowShare(endpointId, mode) - ownOf(endpointId));
    }
    const isNew = (other: string) => !slow.has(other) && !quick.has(other) && isOfMode(other);
    return Math.min(share(usable[mode], 0.25) - sum(isNew), 1 - ownOf(endpointId));
  }

  return {
    /** How many more attempts the endpoint may start now. `isFailing` is the stored state of an endpoint unknown to this process. */
    free(endpointId: string, mode: Mode, isFailing = false): number {
      modes.set(endpointId, mode);
      if (isFailing && !quick.has(endpointId)) slow.add(endpointId);
      const left = Math.min(
        total - sum(() => true),
        usable[mode] - sum((other) => modes.get(other) === mode),
      );
      return Math.max(0, Math.min(left, allowance(endpointId, mode)));
    },
    isAnyFree: () => sum(() => true) < total,
    /** Takes `count` slots; each ends with `ended` or is given back. */
    take: add,
    giveBack: (endpointId: string, count: number) => add(endpointId, -count),
    /** Frees a slot. `exchangeMs` is the receiver's response time, regardless of its status; undefined if it was not contacted. */
    ended(endpointId: string, exchangeMs: number | undefined): void {
      add(endpointId, -1);
      if (exchangeMs === undefined) return;
      const [now, before] = exchangeMs < SLOW_MS ? [quick, slow] : [slow, quick];
      now.add(endpointId);
      before.delete(endpointId);
    },
  };
}
