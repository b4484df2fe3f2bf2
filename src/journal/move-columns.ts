/** Selects the columns of a document that a move writes. */
import type { DocumentRow, MoveRow } from "../../storage/documents.ts";

export function moveColumns(row: DocumentRow): Omit<MoveRow, "from"> {
  return {
    id: row.id,
    phase: row.phase,
    status: row.status,
    series: row.series,
    number: row.number,
    mark: row.mark,
    uid: row.uid,
    qr_url: row.qr_url,
    provider_ref: row.provider_ref,
    error_json: row.error_json,
    updated_at: row.updated_at,
    attempts: row.attempts,
    polls: row.polls,
    absences: row.absences,
    stage_since: row.stage_since,
    next_at: row.next_at,
    lease_owner: row.lease_owner,
    lease_until: row.lease_until,
    connection_lost: row.connection_lost,
    asking: row.asking,
  };
}
