/** The merchants' software: it orders documents, repeats requests until they are answered, and retries what failed. */
import type { Appliance } from "../../src/appliance.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { retryDocument } from "../../src/documents/retry.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { buildDocument, TODAY } from "../helpers/documents.ts";
import { PROVIDER_A_MERCHANT, TAX_NUMBERS } from "./merchants.ts";
import { runIn } from "./platform.ts";
import { CAUSE } from "./prepared.ts";
import type { Draws } from "./random.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

export interface Order {
  name: string;
  /** After the start. */
  afterMs: number;
  merchant: number;
  type: "1.1" | "2.1" | "11.1";
  series: string;
  /** Whether a person cancels the document once it is issued. */
  isCancelled: boolean;
}

const ORDERS_MAX = 6;
/** The authority refuses documents of this series. */
export const REFUSED_SERIES = "R";

/** Draws the orders of the first `stormMs`. Some come in bursts, which share commits and messages. */
export function planOrders(draws: Draws, stormMs: number): Order[] {
  const count = draws.between("orders", 1, ORDERS_MAX);
  const orders: Order[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `order ${index + 1}`;
    const before = orders.at(-1);
    const isBurst = before !== undefined && draws.draw(`${name} burst`) < 0.4;
    orders.push({
      name,
      afterMs: isBurst ? before.afterMs : draws.between(`${name} at`, 0, stormMs),
      merchant: isBurst ? before.merchant : draws.between(`${name} merchant`, 0, TAX_NUMBERS.length - 1),
      type: draws.pick(`${name} type`, ["1.1", "1.1", "11.1", "2.1"] as const),
      series: draws.pick(`${name} series`, ["A", "A", "B", REFUSED_SERIES]),
      isCancelled: draws.draw(`${name} cancelled`) < 0.2,
    });
  }
  return orders;
}

const REPEAT_MS = 2000;

export function createClients(world: World, merchants: readonly string[], complain: (what: string) => void) {
  const accepted = new Map<string, string>();
  /** Orders without an answer, with the process that was asked; null between two requests. */
  const open = new Map<Order, SimulatedProcess | null>();

  /** A server that answers, chosen at random. */
  function findServer(): SimulatedProcess | undefined {
    const serving = [...world.processes].filter(
      ({ isAlive, appliance }) => isAlive && appliance !== undefined,
    );
    return serving[Math.floor(world.random() * serving.length)];
  }

  function later(order: Order): void {
    open.set(order, null);
    world.timeline.at(world.timeline.nowMs() + REPEAT_MS, () => void request(order));
  }

  async function request(order: Order): Promise<void> {
    const process = findServer();
    const appliance = process?.appliance;
    open.set(order, process ?? null);
    if (process === undefined || appliance === undefined) return later(order);
    const body = {
      merchant: merchants[order.merchant],
      // provider_a numbers its documents.
      ...(order.merchant === PROVIDER_A_MERCHANT ? {} : { series: order.series }),
      external_reference: order.name,
      document: buildOrdered(order),
    };
    const use = { operation: "issueDocument", key: order.name, fingerprint: order.name };
    // The answer of a process that has ended does not arrive.
    const isHeard = () => process.isAlive && open.get(order) === process;
    try {
      const { id } = await runIn(process, () => acceptDocument(appliance, body, CAUSE, use));
      if (!isHeard()) return;
      open.delete(order);
      accepted.set(order.name, id);
      world.note("client", `${order.name} accepted by ${process.name}`);
    } catch (error) {
      if (!isHeard()) return;
      const isTemporary = error instanceof AppError && error.code === "service_unavailable";
      if (!isTemporary) complain(`${order.name} was refused: ${String(error)}`);
      later(order);
    }
  }

  /** Asks a server for something about a document. What it refuses for a reason is asked again later. */
  async function ask(
    what: string,
    id: string,
    work: (appliance: Appliance) => Promise<unknown>,
  ): Promise<void> {
    const process = findServer();
    const appliance = process?.appliance;
    if (process === undefined || appliance === undefined) return;
    world.note("client", `${what} ${id.slice(-6)}`);
    try {
      await runIn(process, () => work(appliance));
    } catch (error) {
      if (process.isAlive && !(error instanceof AppError)) complain(`could not ${what}: ${String(error)}`);
    }
  }

  return {
    /** The ids of the documents that were accepted, by order. */
    accepted,
    /** Orders without an answer so far. */
    waiting: () => open.size,
    order: (order: Order) => void request(order),
    /** Repeats what was asked of processes that have ended. */
    repeat(ended: readonly SimulatedProcess[]) {
      for (const [order, process] of open) {
        if (process === null || !ended.includes(process)) continue;
        later(order);
      }
    },
    /** Retries documents that failed. */
    retry(ids: readonly string[]) {
      for (const id of ids) void ask("retry", id, (appliance) => retryDocument(appliance, id, CAUSE));
    },
    /** Cancels issued documents, unless that is under way. */
    cancel(ids: readonly string[]) {
      for (const id of ids) void ask("cancel", id, (appliance) => cancelDocument(appliance, id, CAUSE));
    },
  };
}

function buildOrdered({ merchant, type }: Order) {
  const code = TAX_NUMBERS[merchant]!;
  const customer = {
    tax_id: { country: "GR", code: TAX_NUMBERS[(merchant + 1) % TAX_NUMBERS.length]! },
    // provider_a needs all of it.
    ...(merchant === PROVIDER_A_MERCHANT ? { name: "Παράδειγμα ΑΕ", address: ADDRESS } : {}),
  };
  return buildDocument(type, {
    issue_date: TODAY,
    supplier: { tax_id: { country: "GR", code } },
    ...(type === "11.1" ? {} : { customer }),
  });
}

const ADDRESS = { street: "Σταδίου", number: "5α", postal_code: "10562", city: "Αθήνα" };
