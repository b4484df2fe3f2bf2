/** From a document's row to what its move writes. */
import type { DocumentRow, MoveRow } from "../../storage/documents.ts";

/** The columns that a move writes. */
export function moveColumns(row: DocumentRow): Omit<MoveRow, "from"> {
  const { id, phase, status, series, number, mark, uid, qr_url, provider_ref, error_json } = row;
  const { updated_at, attempts, polls, absences, stage_since, next_at, lease_owner, lease_until } = row;
  return {
    ...{ id, phase, status, series, number, mark, uid, qr_url, provider_ref, error_json },
    ...{ updated_at, attempts, polls, absences, stage_since, next_at, lease_owner, lease_until },
  };
}
