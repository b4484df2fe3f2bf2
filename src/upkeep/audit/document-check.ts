/** Compares each document's row with its newest event, so that an amount changed in the row is found. */
import {
  findEventsOfMissingDocuments,
  findDocumentsWithSnapshots,
  type DocumentWithSnapshot,
} from "../../../storage/audit.ts";
import type { Session } from "../../../storage/session.ts";
import { findHoles, describeHole } from "../../numbering/audit-numbers.ts";
import type { DocumentObject } from "../../journal/document-object.ts";
import { readJson } from "../../foundation/json.ts";
import { createCursor } from "./audit-cursor.ts";
import type { Text } from "../../foundation/text.ts";
import { type AuditListener, sentence } from "./audit-finding.ts";

/** Columns that never change once a document is accepted, and their fields of the document object. */
const FROZEN = [
  ["mode", "mode"],
  ["merchant_id", "merchant"],
  ["provider", "provider"],
  ["type", "type"],
  ["issue_date", "issue_date"],
  ["net", "net"],
  ["vat", "vat"],
  ["gross", "gross"],
  ["external_reference", "external_reference"],
] as const satisfies readonly (readonly [keyof DocumentWithSnapshot, keyof DocumentObject])[];

/** Columns that no longer change once a document is issued, except by a cancellation, which has its own event. */
const ISSUED = [
  ["mark", "mark"],
  ["uid", "uid"],
  ["series", "series"],
  ["number", "number"],
  ["cancellation_mark", "cancellation_mark"],
  ["cancelled_at", "cancelled_at"],
] as const satisfies readonly (readonly [keyof DocumentWithSnapshot, keyof DocumentObject])[];

const MISSING_SHOWN_MAX = 100;

/** Returns the number of documents. */
export async function auditDocuments(session: Session, listener: AuditListener): Promise<number> {
  const documents = createCursor<DocumentWithSnapshot>((after, limit) =>
    findDocumentsWithSnapshots(session, after?.id ?? "", limit),
  );
  let count = 0;
  for (;;) {
    const document = await documents.peek();
    if (document === undefined) break;
    documents.advance();
    count += 1;
    const differing = findDifference(document);
    if (differing !== undefined)
      listener.problem({ check: "documents", id: document.id, message: sentence(document.id, differing) });
    await listener.row();
  }
  for (const { document_id: id } of await findEventsOfMissingDocuments(session, MISSING_SHOWN_MAX))
    listener.problem({
      check: "documents",
      id,
      message: {
        en: `${id} is missing, although the journal says that it was accepted.`,
        el: `Το ${id} λείπει, αν και το ημερολόγιο λέει ότι έγινε δεκτό.`,
      },
    });
  return count;
}

function findDifference(document: DocumentWithSnapshot): Text | undefined {
  if (document.snapshot_json === null)
    return {
      en: "has no event: the journal does not know it",
      el: "δεν έχει συμβάν: το ημερολόγιο δεν το γνωρίζει",
    };
  const snapshot = parseSnapshot(document.snapshot_json);
  if (snapshot === undefined)
    return {
      en: "has a newest event that cannot be read",
      el: "έχει τελευταίο συμβάν που δεν διαβάζεται",
    };
  const isIssued = document.status === "issued" || snapshot.status === "issued";
  const fields = isIssued ? [...FROZEN, ...ISSUED] : FROZEN;
  const differing: string[] = fields
    .filter(([column, field]) => document[column] !== snapshot[field])
    .map(([, field]) => field);
  if (isIssued && document.status !== snapshot.status) differing.unshift("status");
  if (differing.length === 0) return undefined;
  return {
    en: `differs from its newest event in ${differing.join(", ")}`,
    el: `διαφέρει από το τελευταίο του συμβάν στα πεδία ${differing.join(", ")}`,
  };
}

/** Returns undefined if the text is damaged. */
function parseSnapshot(text: string): DocumentObject | undefined {
  try {
    return readJson<DocumentObject>(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reports numbers that nothing explains. */
export async function auditNumbers(session: Session, listener: AuditListener): Promise<void> {
  for await (const hole of findHoles(session))
    listener.problem({ check: "numbers", id: null, message: describeHole(hole) });
}
