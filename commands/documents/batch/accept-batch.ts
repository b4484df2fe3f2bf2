/** From bodies to accepted documents, many in one commit, each under a key that makes a second run harmless. */
import { createHash } from "node:crypto";
import type { Appliance } from "../../../src/appliance.ts";
import type { Created, IdempotencyClaim } from "../../../src/journal/context.ts";
import { acceptDocument, checkDocument } from "../../../src/documents/accept.ts";
import { type Places, placeProblem } from "../../../src/intake/table-places.ts";
import {
  AppError,
  buildErrorObject,
  type ErrorObject,
  type Problem,
  validationError,
} from "../../../src/foundation/errors.ts";
import { fingerprint } from "../../../src/journal/idempotency.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { causeOf } from "../../context.ts";
import { isRecord } from "../../input.ts";
import type { BatchItem } from "./reading.ts";

/** What became of one document of a file at accepting. */
export type Verdict = {
  place: string;
  reference: string | null;
} & (
  | { outcome: "accepted" | "accepted_before"; id: string }
  | { outcome: "refused"; error: ErrorObject; problems: readonly Problem[] }
  | { outcome: "valid"; check: Awaited<ReturnType<typeof checkDocument>> }
);

/** Calls in flight at once: they share a commit, and memory stays that of so many bodies. */
const GROUP_SIZE = 256;

/**
 * Accepts `items` in order and tells what became of each. One that is refused stops no other; storage that fails stops
 * all. Ends early, between two groups, when the signal is aborted.
 */
export async function* acceptItems(
  appliance: Appliance,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  const keys = createKeys();
  for await (const group of groupsOf(items, GROUP_SIZE)) {
    if (signal.aborted) return;
    // All are waited for, so that no write is under way when one of them fails for all.
    const settled = await Promise.allSettled(group.map((item) => acceptItem(appliance, mode, item, keys)));
    for (const result of settled) {
      if (result.status === "fulfilled") yield result.value;
    }
    const failure = settled.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }
}

/** `--dry-run`: the same verdicts, and nothing is stored. */
export async function* checkItems(
  appliance: Appliance,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  for await (const item of items) {
    if (signal.aborted) return;
    const { place, reference } = item;
    if ("error" in item) {
      yield refusedItem(item);
      continue;
    }
    try {
      yield { place, reference, outcome: "valid", check: await checkDocument(appliance, item.body, mode) };
    } catch (error) {
      yield { place, reference, outcome: "refused", ...refusalOf(error, item.places) };
    }
  }
}

/** An item of which no body could be made. */
function refusedItem(item: Extract<BatchItem, { error: ErrorObject }>): Verdict {
  const { place, reference, error, problems = [] } = item;
  return { place, reference, outcome: "refused", error, problems };
}

async function acceptItem(appliance: Appliance, mode: Mode, item: BatchItem, keys: Keys): Promise<Verdict> {
  const { place, reference } = item;
  if ("error" in item) return refusedItem(item);
  const claim = keys.claimOf(item.body, reference);
  let created: Created;
  try {
    created = await acceptDocument(appliance, item.body, causeOf(mode, claim.key), claim);
  } catch (error) {
    return { place, reference, outcome: "refused", ...refusalOf(error, item.places) };
  }
  return { place, reference, outcome: created.replayed ? "accepted_before" : "accepted", id: created.id };
}

/** The database's troubles, which no document is to blame for. */
const ABOUT_ALL: ReadonlySet<string> = new Set(["internal_error", "service_unavailable"]);

/** The error of one document. Everything that is not about the document is thrown on. */
function refusalOf(
  error: unknown,
  places: Places | undefined,
): { error: ErrorObject; problems: readonly Problem[] } {
  if (!(error instanceof AppError) || ABOUT_ALL.has(error.code)) throw error;
  if (error.code === "idempotency_conflict") return { error: conflict(), problems: [] };
  if (places === undefined || error.problems.length === 0)
    return { error: error.toObject(), problems: error.problems };
  const problems = error.problems.map((problem) => placeProblem(problem, places) ?? problem);
  return { error: validationError(problems).toObject(), problems };
}

function conflict(): ErrorObject {
  return buildErrorObject(
    "idempotency_conflict",
    "another document was accepted under this reference, and it is not changed: use a new reference, " +
      "or correct an issued one with a credit note (5.1)",
  );
}

interface Keys {
  claimOf(body: unknown, reference: string | null): IdempotencyClaim;
}

/** The longest key of the API (spec, Limits), and the characters that it may have. */
const PLAIN_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The key of a document is made of merchant and reference (decisions 13). One without a reference has the key of what it
 * says and of how many the same stood before it in this run: a second run of the file finds them all again, while two
 * equal receipts of one file stay two.
 */
function createKeys(): Keys {
  const seen = new Map<string, number>();
  return {
    claimOf(body, reference) {
      const print = fingerprint({}, body);
      const merchant = isRecord(body) && typeof body["merchant"] === "string" ? body["merchant"] : "";
      const operation = "issueDocument";
      if (reference !== null)
        return { operation, key: keyOf(merchant, reference.trim()), fingerprint: print };
      const earlier = seen.get(print) ?? 0;
      seen.set(print, earlier + 1);
      return { operation, key: `cli:body:${print}:${earlier}`, fingerprint: print };
    },
  };
}

/** `cli:<merchant>:<reference>`; a reference that is too long for a key, or not of its characters, goes in as its hash. */
function keyOf(merchant: string, reference: string): string {
  const key = `cli:${merchant}:${reference}`;
  return PLAIN_KEY.test(key) ? key : `cli:sha256:${createHash("sha256").update(key).digest("hex")}`;
}

async function* groupsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length === size) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
