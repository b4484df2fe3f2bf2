/**
 * The commit of accepted documents (docs/decisions/0004-one-commit-for-what-arrives-together.md): answers those whose key or number was used, and
 * stores the others with their idempotency records and first events, table by table, in the order in which they arrived.
 */
import { buildDocument } from "../../storage/documents/documents.ts";
import { findUnusableNumbers, type CounterKey } from "../../storage/documents/series.ts";
import { hashNumber } from "../../storage/merchants/customers.ts";
import type { IdempotencyRow } from "../../storage/documents/idempotency.ts";
import type { RowLists } from "../../storage/database/session.ts";
import { type EndpointInterest, findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Kind, ItemResult, Transaction } from "../../storage/database/write.ts";
import { originalMarksOf } from "../domain/canonical-document.ts";
import { needsEuNumber } from "../domain/classification.ts";
import { AppError } from "../foundation/errors.ts";
import { buildDocumentEvent } from "../journal/append-event.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { buildRecord, findRecords, findReplay, removeMark, requireSame } from "../journal/create-once.ts";
import { heldError } from "../journal/held.ts";
import { insertLetterhead, requireIssuingMerchant } from "../merchants/settings.ts";
import { takeGivenNumbers } from "../numbering/allocate.ts";
import type { PreparedDocument } from "./prepare.ts";

export interface Acceptance {
  context: Context;
  cause: Cause;
  use: IdempotencyUse | undefined;
  /** Prepares the document for the state in the transaction. Throws what accepting throws for it. */
  prepare(trx: Transaction): Promise<PreparedDocument>;
}

/** `accepted` is undefined if the document was accepted earlier. */
export interface Accepted extends Created {
  accepted: PreparedDocument | undefined;
}

export const ACCEPTANCES: Kind<Acceptance, Accepted> = {
  async commit(trx, acceptances) {
    if (trx.isHeld) return acceptances.map(() => ({ refusal: heldError(NOT_ACCEPTED) }));
    const known = await findRecords(
      trx,
      acceptances.map(({ cause: { mode }, use }) => ({ mode, use })),
    );
    const candidates: Candidate[] = [];
    for (const [index, acceptance] of acceptances.entries())
      candidates.push({
        ...acceptance,
        known: known[index],
        prepared: await prepareNew(trx, acceptance, known[index]),
      });
    const unusable = await findUnusable(trx, candidates);
    const batch = await createBatch(trx, candidates);
    const outcomes: ItemResult<Accepted>[] = [];
    for (const candidate of candidates) {
      try {
        outcomes.push({ value: await batch.accept(candidate, unusable) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ refusal: error });
      }
    }
    await batch.store();
    return outcomes;
  },
};

const NOT_ACCEPTED = { en: "The document was not accepted", el: "Το παραστατικό δεν έγινε δεκτό" };

interface Candidate extends Acceptance {
  /** The record of the key. */
  known: IdempotencyRow | undefined;
  /** Undefined if the key was used before. */
  prepared: PreparedDocument | AppError | undefined;
}

async function prepareNew(
  trx: Transaction,
  { prepare }: Acceptance,
  known: IdempotencyRow | undefined,
): Promise<Candidate["prepared"]> {
  if (known !== undefined && known.lease_until === null) return undefined;
  try {
    return await prepare(trx);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The given numbers that a stored document has, or had and lost for good. */
async function findUnusable(trx: Transaction, candidates: readonly Candidate[]) {
  const given = candidates.flatMap(({ prepared }) =>
    prepared === undefined || prepared instanceof AppError ? [] : (prepared.given ?? []),
  );
  const unusable = await findUnusableNumbers(trx, given);
  return new Set(given.filter((_, place) => unusable.has(place)));
}

type RowsOfDocuments =
  | ("documents" | "document_inputs" | "document_originals" | "vies_checks" | "credited_lines")
  | ("events" | "deliveries" | "idempotency");

async function createBatch(trx: Transaction, candidates: readonly Candidate[]) {
  const endpoints = new Map<Mode, readonly EndpointInterest[]>();
  for (const { cause } of candidates)
    if (!endpoints.has(cause.mode)) endpoints.set(cause.mode, await findEndpointInterests(trx, cause.mode));
  /** By the key under which they were accepted in this batch. */
  const accepted = new Map<string, { fingerprint: string; id: string; json: string }>();
  const numbers = new Map<string, { key: CounterKey; numbers: [number, ...number[]] }>();
  const letterheads = new Map<string, number>();
  const rows = {
    documents: [],
    document_inputs: [],
    document_originals: [],
    vies_checks: [],
    credited_lines: [],
    events: [],
    deliveries: [],
    idempotency: [],
  } as RowLists<RowsOfDocuments>;

  /** Within the batch the first one has the number. */
  function takeNumber({ key, number }: NonNullable<PreparedDocument["given"]>): void {
    const name = JSON.stringify(key);
    const taken = numbers.get(name);
    if (taken?.numbers.includes(number) === true) throw numberInUse();
    if (taken === undefined) numbers.set(name, { key, numbers: [number] });
    else taken.numbers.push(number);
  }

  /** For a merchant without one. */
  async function makeLetterhead(merchantId: string, mode: Mode): Promise<number> {
    const name = `${mode} ${merchantId}`;
    const id =
      letterheads.get(name) ??
      (await insertLetterhead(trx, await requireIssuingMerchant(trx, merchantId, mode), mode));
    letterheads.set(name, id);
    return id;
  }

  return {
    /** Decides about a candidate, after those before it. Throws AppError if it is refused. */
    async accept(
      { context, cause, use, known, prepared }: Candidate,
      unusable: ReadonlySet<unknown>,
    ): Promise<Accepted> {
      const { mode } = cause;
      const name = use === undefined ? undefined : `${mode} ${use.operation} ${use.key}`;
      if (use !== undefined && known !== undefined) {
        const replayed = await findReplay(trx, use, known, { nowMs: trx.clockMs });
        if (replayed !== undefined) return { ...replayed, accepted: undefined };
      }
      const first = name === undefined ? undefined : accepted.get(name);
      if (use !== undefined && first !== undefined) {
        requireSame(use, first.fingerprint);
        return { id: first.id, json: first.json, replayed: true, accepted: undefined };
      }
      // Checked after the key, so that a repeated request gets its document even when the disk is full.
      context.space.requireRoom();
      if (prepared === undefined) throw new Error("A document whose key is free was not prepared");
      if (prepared instanceof AppError) throw prepared;
      if (unusable.has(prepared.given)) throw numberInUse();
      if (prepared.given !== undefined) takeNumber(prepared.given);
      const { merchant } = prepared.snapshot;
      const letterheadId = merchant.letterhead_id ?? (await makeLetterhead(merchant.id, mode));
      const created = addRows(prepared, cause, letterheadId);
      if (use !== undefined && name !== undefined) {
        if (known !== undefined) await removeMark(trx, known);
        rows.idempotency.push(buildRecord(trx, mode, use, created));
        accepted.set(name, { ...created, fingerprint: use.fingerprint });
      }
      return { id: created.id, json: created.json, replayed: false, accepted: prepared };
    },
    /** Stores what was accepted. */
    async store(): Promise<void> {
      for (const { key, numbers: given } of numbers.values()) await takeGivenNumbers(trx, key, given);
      await trx.insertRows(rows);
      if (rows.documents.length > 0) trx.announce("documents");
    },
  };

  function addRows(
    { row: decided, request, inputJson, decidedJson }: PreparedDocument,
    cause: Cause,
    letterheadId: number,
  ): { id: string; json: string; eventId: string } {
    const id = trx.newId("doc");
    const next_at = new Date(trx.clockMs).toISOString();
    const contents = {
      document_id: id,
      input_json: inputJson,
      decided_json: decidedJson,
      letterhead_id: letterheadId,
    };
    const { customer } = request.document;
    const customer_hash = customer === undefined ? null : hashNumber(trx.auditKey, customer.tax_id);
    const { document, input, row } = buildDocument(
      trx.cipher,
      { ...decided, id, customer_hash, created_at: trx.now, next_at },
      contents,
    );
    rows.documents.push(document);
    rows.document_inputs.push(input);
    for (const mark of originalMarksOf(request.document))
      rows.document_originals.push({ mark, document_id: id });
    if (cause.mode === "live" && needsEuNumber(request.document))
      rows.vies_checks.push({ document_id: id, valid: null, checked_at: null, due_at: next_at });
    for (const { line, quantity, net, vat } of request.credits ?? [])
      rows.credited_lines.push({ document_id: id, line, quantity: Number(quantity), net, vat });
    const change = { type: "document.created", after: row, input: contents, cause } as const;
    const { event, deliveries, json } = buildDocumentEvent(trx, endpoints.get(cause.mode)!, change);
    rows.events.push(event);
    rows.deliveries.push(...deliveries);
    return { id, json, eventId: event.id };
  }
}

export function numberInUse(): AppError {
  return new AppError("already_exists", {
    en: "A document of this series already has this number; a number is never used twice",
    el: "Παραστατικό αυτής της σειράς έχει ήδη αυτόν τον αριθμό· κανένας αριθμός δεν χρησιμοποιείται δύο φορές",
  });
}
