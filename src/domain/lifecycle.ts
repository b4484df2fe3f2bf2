/**
 * The states of a document and the moves between them (docs/lifecycle.md).
 *
 * - `queued`: waits to be sent. Nothing was sent yet, or the last send certainly did not arrive.
 * - `submitting`: a worker holds it and sends it. If the process dies here, the rescuer takes it over.
 * - `awaiting_mark`: the provider accepted it and the MARK follows. The provider is polled until it arrives.
 * - `reconciling`: a send got no answer. The provider is queried by identity before anything is sent again.
 * - `issued`: it has a MARK. Final.
 * - `rejected`: the provider or the authority refused it. Final: a correction is a new document.
 * - `failed`: it could not be delivered and is certainly not registered. `retry` queues it again.
 */
import type { DocumentPhase, DocumentStage, DocumentStatus } from "../../storage/stored-values.ts";

/** Every allowed move (docs/contract.md#stages). No document moves in any other way. */
export const DOCUMENT_MOVES = {
  queued: ["submitting"],
  submitting: ["issued", "awaiting_mark", "rejected", "queued", "reconciling", "failed"],
  // To `reconciling` only when the MARK received is another document's (docs/contract.md#mark-of-another-document).
  awaiting_mark: ["issued", "rejected", "reconciling"],
  reconciling: ["issued", "awaiting_mark", "rejected", "queued", "failed"],
  failed: ["queued"],
  issued: [],
  rejected: [],
} as const satisfies Record<DocumentPhase, readonly DocumentPhase[]>;

/** Whether a document may move from `from` to `to`. Staying in a phase is not a move. */
export function canMove(from: DocumentPhase, to: DocumentPhase): boolean {
  const targets: readonly DocumentPhase[] = DOCUMENT_MOVES[from];
  return targets.includes(to);
}

export function isFinal(phase: DocumentPhase): boolean {
  return phase === "issued" || phase === "rejected" || phase === "failed";
}

export function statusOf(phase: DocumentPhase): DocumentStatus {
  return isFinal(phase) ? (phase as DocumentStatus) : "pending";
}

export function stageOf(phase: DocumentPhase): DocumentStage | null {
  return isFinal(phase) ? null : (phase as DocumentStage);
}
