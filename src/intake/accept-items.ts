/** Accepts documents in groups that share a commit, each with an idempotency key that makes a second run harmless. */
import { createHash } from "node:crypto";
import { acceptDocument, checkDocument } from "../documents/accept.ts";
import type { Party } from "../domain/canonical-schema.ts";
import { AppError, type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { Context, IdempotencyUse } from "../journal/context.ts";
import { findCreated } from "../journal/create-once.ts";
import { fingerprint } from "../journal/idempotency.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { type Places, placeProblem, type TableDocument } from "./table-draft.ts";

/** One document of a file, or the error if it could not be read. */
export type BatchItem = {
  /** For messages: `documents.csv, line 12`. */
  place: Text;
  /** The external reference. */
  reference: string | null;
} & (
  | {
      body: unknown;
      /** The rows it came from; undefined if it is not from a table. */
      places?: Places;
      /** Why it is not accepted now; it may have been before. */
      refused?: AppError;
    }
  | {
      error: AppError;
      /** Every problem; the error lists only the first ones. */
      problems?: readonly Problem[];
    }
);

/** The result of accepting or checking one document of a file. */
export type Verdict = { place: Text; reference: string | null } & (
  | Decision
  | { outcome: "refused"; error: AppError }
);

type Decision =
  | { outcome: "accepted" | "accepted_before"; id: string }
  | {
      outcome: "valid";
      /** Id. */
      merchant: string;
      /** As given; undefined where they are assigned when the document is sent. */
      series: string | undefined;
      number: number | undefined;
      customer: Party | undefined;
      check: Awaited<ReturnType<typeof checkDocument>>;
    };

/** Bodies that are accepted at the same time: they share a commit, and only they are in memory. */
const GROUP_SIZE = 256;

/** Accepts `items` and yields a verdict for each, in order. Only a storage failure stops it, and the signal, between groups. */
export async function* acceptItems(
  context: Context,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  const useOf = createKeys();
  const accept = (item: BatchItem) =>
    judge(item, async (body, reference) => {
      const use = useOf(body, reference);
      if ("body" in item && item.refused !== undefined) {
        const before = await findCreated(context, mode, use);
        if (before === undefined) throw item.refused;
        return { outcome: "accepted_before", id: before.id };
      }
      const cause = { mode, requestId: null, idempotencyKey: use.key };
      const { id, replayed } = await acceptDocument(context, body, cause, use);
      return { outcome: replayed ? "accepted_before" : "accepted", id };
    });
  for await (const group of groupsOf(items, GROUP_SIZE)) {
    if (signal.aborted) return;
    // Waits for all of them, so that no write is in progress when a storage failure is thrown.
    const settled = await Promise.allSettled(group.map(accept));
    for (const result of settled) {
      if (result.status === "fulfilled") yield result.value;
    }
    const failure = settled.find((result) => result.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }
}

/** Checks `items` for `--dry-run`. Stores nothing. */
export async function* checkItems(
  context: Context,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  signal: AbortSignal,
): AsyncGenerator<Verdict> {
  for await (const item of items) {
    if (signal.aborted) return;
    yield await judge(item, async (body) => {
      const check = await checkDocument(context, body, mode);
      const { merchant, series, number, document } = body as CheckedBody;
      return { outcome: "valid", merchant, series, number, customer: document.customer, check };
    });
  }
}

/** The envelope of a body that was checked. */
interface CheckedBody {
  merchant: string;
  series?: string;
  number?: number;
  document: { customer?: Party };
}

/** The verdict on one document. Throws failures of the database. */
async function judge(
  item: BatchItem,
  decide: (body: unknown, reference: string | null) => Promise<Decision>,
): Promise<Verdict> {
  const { place, reference } = item;
  if ("error" in item) return { place, reference, outcome: "refused", error: item.error };
  try {
    return { place, reference, ...(await decide(item.body, reference)) };
  } catch (error) {
    return { place, reference, outcome: "refused", error: refusalOf(error, item.places) };
  }
}

/** Failures of the database, not of a document. */
const STORAGE_CODES: ReadonlySet<string> = new Set(["internal_error", "service_unavailable"]);

/** Returns the error if it is about the document, with table cells in place of JSON paths, and throws any other. */
function refusalOf(error: unknown, places: Places | undefined): AppError {
  if (!(error instanceof AppError) || STORAGE_CODES.has(error.code)) throw error;
  if (error.code === "idempotency_conflict") return conflict();
  if (places === undefined || error.problems.length === 0) return error;
  return validationError(error.problems.map((problem) => placeProblem(problem, places) ?? problem));
}

function conflict(): AppError {
  return new AppError("idempotency_conflict", {
    en: "a document with this reference was accepted before with other contents or options (for example another provider) and stays as it is: use a new reference, or correct an issued document with a credit note",
    el: "παραστατικό με αυτή την αναφορά έγινε ήδη δεκτό με άλλο περιεχόμενο ή άλλες επιλογές (για παράδειγμα άλλον πάροχο) και δεν αλλάζει: χρησιμοποιήστε νέα αναφορά, ή διορθώστε ένα που εκδόθηκε με πιστωτικό",
  });
}

/** docs/contract.md#idempotency-keys */
const PLAIN_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The key of a document is its merchant and reference. Without a reference it is the document's fingerprint and the number
 * of equal documents before it in this run: a second run of the file finds all of them again, and two equal receipts in
 * one file stay two.
 */
function createKeys(): (body: unknown, reference: string | null) => IdempotencyUse {
  const seen = new Map<string, number>();
  return (body, reference) => {
    const print = fingerprint({}, body);
    const use = { operation: "issueDocument", fingerprint: print };
    if (reference !== null) return { ...use, key: keyOf(merchantOf(body), reference.trim()) };
    const earlier = seen.get(print) ?? 0;
    seen.set(print, earlier + 1);
    return { ...use, key: `cli:body:${print}:${earlier}` };
  };
}

function merchantOf(body: unknown): string {
  const isNamed = typeof body === "object" && body !== null && "merchant" in body;
  return isNamed && typeof body.merchant === "string" ? body.merchant : "";
}

/** `cli:<merchant>:<reference>`, in the console too, so that a file is issued once wherever it is read. It is hashed if it is too long or has characters that a key cannot have. */
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

/** Its body has no merchant yet. */
export function tableItem(row: TableDocument, place: Text): BatchItem {
  const { reference } = row;
  if ("body" in row) return { place, reference, body: row.body, places: row.places };
  return { place, reference, error: validationError(row.problems) };
}
