/**
 * Documents beside the journal: each has its events, and what its row says is what its newest event tells. The rows are the
 * journal's no more than by this comparison, so that a figure changed in one of them is found.
 */
import { findMissingDocuments, findToldDocuments, type ToldDocument } from "../../../storage/audit.ts";
import type { Session } from "../../../storage/session.ts";
import { findHoles, describeHole } from "../../numbering/audit-numbers.ts";
import type { DocumentObject } from "../../journal/document-object.ts";
import { readJson } from "../../foundation/json.ts";
import { createCursor } from "./audit-cursor.ts";
import type { AuditListener } from "./audit-finding.ts";

/** What never changes once a document is accepted, as its row and as its object call it. */
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
] as const satisfies readonly (readonly [keyof ToldDocument, keyof DocumentObject])[];

/** What does not change any more once it is issued, a cancellation excepted, which is an event of its own. */
const ISSUED = [
  ["mark", "mark"],
  ["uid", "uid"],
  ["series", "series"],
  ["number", "number"],
  ["cancellation_mark", "cancellation_mark"],
  ["cancelled_at", "cancelled_at"],
] as const satisfies readonly (readonly [keyof ToldDocument, keyof DocumentObject])[];

const MISSING_SHOWN_MAX = 100;

/** Answers how many documents there are. */
export async function auditDocuments(session: Session, listener: AuditListener): Promise<number> {
  const documents = createCursor<ToldDocument>((after, limit) =>
    findToldDocuments(session, after?.id ?? "", limit),
  );
  let count = 0;
  for (;;) {
    const document = await documents.peek();
    if (document === undefined) break;
    documents.advance();
    count += 1;
    const differing = findDifference(document);
    if (differing !== undefined)
      listener.problem({ check: "documents", id: document.id, message: `${document.id} ${differing}.` });
    await listener.row();
  }
  for (const { document_id: id } of await findMissingDocuments(session, MISSING_SHOWN_MAX))
    listener.problem({
      check: "documents",
      id,
      message: `${id} is not there, though the journal tells that it was accepted.`,
    });
  return count;
}

function findDifference(document: ToldDocument): string | undefined {
  if (document.told_json === null) return "has no event: the journal does not know it";
  const told = readTold(document.told_json);
  if (told === undefined) return "has a newest event that cannot be read";
  const isIssued = document.status === "issued" || told.status === "issued";
  const fields = isIssued ? [...FROZEN, ...ISSUED] : FROZEN;
  const differing: string[] = fields
    .filter(([column, field]) => document[column] !== told[field])
    .map(([, field]) => field);
  if (isIssued && document.status !== told.status) differing.unshift("status");
  return differing.length === 0 ? undefined : `differs from its newest event in ${differing.join(", ")}`;
}

/** Undefined where the text is damaged. */
function readTold(text: string): DocumentObject | undefined {
  try {
    return readJson<DocumentObject>(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Numbers that nothing explains (decisions 6). */
export async function auditNumbers(session: Session, listener: AuditListener): Promise<void> {
  for await (const hole of findHoles(session))
    listener.problem({ check: "numbers", id: null, message: describeHole(hole).en });
}
