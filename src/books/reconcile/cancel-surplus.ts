/**
 * Cancels MARKs of issued documents below the highest one that is not cancelled (docs/contract.md#highest-mark-wins), once a
 * person has confirmed it. The document's own MARK may be among them: it stays on the document, and the higher one counts.
 */
import type { DocumentRow } from "../../../storage/documents/documents.ts";
import { deleteSurplusMark, setSurplusMark } from "../../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import type { Surplus } from "../../domain/compare-listings.ts";
import type { CancellationLookup, CancelOutcome } from "../../domain/provider-adapter.ts";
import { isLaterMark } from "../../domain/several-marks.ts";
import { textOfError } from "../../foundation/stored-texts.ts";
import type { Text } from "../../foundation/text.ts";
import { type FiledDocument, loadFiledDocument } from "../../issuing/outgoing.ts";
import { callProvider } from "../../issuing/single-call.ts";
import type { Context } from "../../journal/context.ts";

export interface SurplusResult {
  document: string;
  mark: string;
  /** Null if it was cancelled. */
  problem: Text | null;
}

/** Long enough for this process to finish; afterwards the background cancellation goes on with it. */
const UNDER_WAY_MS = 10 * 60_000;

/** One result for each lower MARK, in order. */
export async function cancelSurplus(context: Context, surplus: readonly Surplus[]): Promise<SurplusResult[]> {
  const results: SurplusResult[] = [];
  for (const one of surplus) {
    const filed = await loadFiledDocument(context, one.document);
    const obstacle = await findObstacle(context, filed, one);
    for (const mark of one.lower) {
      const problem = obstacle ?? (await cancelLower(context, filed, mark, one.highest));
      results.push({ document: one.document, mark, problem });
    }
  }
  return results;
}

/** The highest MARK must still be valid: otherwise a lower one may be the only one left. */
async function findObstacle(
  context: Context,
  { row, document, adapter }: FiledDocument,
  { highest, lower }: Surplus,
): Promise<Text | undefined> {
  if (!lower.every((mark) => isLaterMark(highest, mark)))
    throw new Error("A surplus MARK is not the lower one");
  if (!adapter.canCancel)
    return { en: "the provider cannot cancel", el: "ο πάροχος δεν υποστηρίζει ακύρωση" };
  if (row.phase !== "issued")
    return { en: "the document is not issued", el: "το παραστατικό δεν έχει εκδοθεί" };
  const found = await callProvider<CancellationLookup>(context, row, "status", (call) =>
    adapter.findCancellation({ ...document, mark: highest }, call),
  );
  if (found.kind === "not_cancelled") return undefined;
  if (found.kind !== "cancelled") return textOfError(found.error);
  return {
    en: `the higher MARK ${highest} is cancelled by now`,
    el: `το μεγαλύτερο ΜΑΡΚ ${highest} έχει πια ακυρωθεί`,
  };
}

/** Undefined if the MARK is cancelled now. The intent is on disk before the call, and the outcome after it. */
async function cancelLower(
  context: Context,
  { row, document, adapter }: FiledDocument,
  mark: string,
  highest: string,
): Promise<Text | null> {
  await context.store.write((trx) => {
    const due = new Date(trx.clockMs + UNDER_WAY_MS).toISOString();
    const intent = { state: "cancelling", due_at: due, cancellation_mark: null } as const;
    return setSurplusMark(trx, { document_id: row.id, mark, ...intent });
  });
  const outcome = await callProvider<CancelOutcome>(context, row, "cancel", (call) =>
    adapter.cancel({ ...document, mark }, call),
  );
  await context.store.write((trx) => recordOutcome(trx, row, { mark, highest, outcome }));
  if (outcome.kind !== "cancelled") return textOfError(outcome.error);
  context.log.warn(
    { document: row.id, mark, highest },
    "a surplus MARK was cancelled, as a person confirmed",
  );
  return null;
}

async function recordOutcome(
  trx: Transaction,
  row: DocumentRow,
  { mark, highest, outcome }: { mark: string; highest: string; outcome: CancelOutcome },
): Promise<void> {
  if (outcome.kind === "cancelled") {
    const known = { document_id: row.id, due_at: null };
    const { cancellationMark } = outcome;
    await setSurplusMark(trx, { ...known, mark, state: "cancelled", cancellation_mark: cancellationMark });
    if (mark === row.mark)
      await setSurplusMark(trx, { ...known, mark: highest, state: "counts", cancellation_mark: null });
    return;
  }
  // Without a clear answer it may be cancelled: the background looks it up. The document's own MARK is left to the person.
  const isOpen = outcome.kind === "unknown" && mark !== row.mark;
  if (!isOpen) await deleteSurplusMark(trx, row.id, mark);
}
