/** Compares each document and its contents with its events, so that a row changed by hand is found. */
import type { AuditKey } from "../../../storage/encryption/key-ring.ts";
import {
  type AuditedDocument,
  findAuditedDocuments,
  findMissingDocuments,
} from "../../../storage/journal/audit.ts";
import type { Cipher } from "../../../storage/encryption/cipher.ts";
import { digestOfContents, digestOfState } from "../../../storage/journal/events.ts";
import { placeIn } from "../../../storage/encryption/sealed.ts";
import type { Session } from "../../../storage/database/session.ts";
import { findHoles, describeHole } from "../../numbering/audit-numbers.ts";
import { regionOf } from "../../domain/classification.ts";
import { isCreditNote } from "../../domain/document-types.ts";
import { sharesOf } from "../../domain/shares.ts";
import { NORTHERN_IRELAND } from "../../domain/tax-number.ts";
import { type Accepted, parseAccepted } from "../../issuing/outgoing.ts";
import type { DocumentObject } from "../../journal/document-object.ts";
import { readJson } from "../../foundation/json.ts";
import { type AuditListener, sentence } from "./audit-finding.ts";
import { everyPortion, itemsOf } from "../../foundation/pages.ts";
import type { Text } from "../../foundation/text.ts";

/** Columns that never change once a document is accepted. */
const FROZEN = [
  "mode",
  "merchant_id",
  "provider",
  "type",
  "issue_date",
  "net",
  "vat",
  "gross",
  "external_reference",
  "created_at",
] as const;

/** Columns that no longer change once a document has an outcome, except by a cancellation, which has its own event. */
const SETTLED = ["status", "mark", "series", "cancellation_mark", "cancelled_at"] as const;

/** Columns that no longer change once it is issued. */
const ISSUED = ["uid", "number", "qr_url"] as const;

type ComparedColumn = (typeof FROZEN | typeof SETTLED | typeof ISSUED)[number];

function fieldOf(column: ComparedColumn) {
  if (column === "merchant_id") return "merchant";
  return column === "created_at" ? "created" : column;
}

const MISSING_SHOWN_MAX = 100;
/** Contents may be large. */
const PORTION = 50;

/**
 * Returns the number of documents. Without an audit key, only what the events' snapshots show is compared. `masterKeys` opens
 * their contents and what filed them.
 */
export async function auditDocuments(
  session: Session,
  masterKeys: Cipher,
  key: AuditKey | undefined,
  listener: AuditListener,
): Promise<number> {
  const portions = everyPortion<AuditedDocument>(PORTION, (last, limit) =>
    findAuditedDocuments(session, { after: last?.id ?? "", limit }),
  );
  let count = 0;
  for await (const document of itemsOf(portions)) {
    count += 1;
    const differences = [...findDifferences(document, masterKeys, key), compareFiling(document, masterKeys)];
    for (const what of differences.filter((difference) => difference !== undefined))
      listener.problem({ check: "documents", id: document.id, message: sentence(document.id, what) });
    await listener.row();
  }
  for (const id of await findMissingDocuments(session, { limit: MISSING_SHOWN_MAX }))
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

function findDifferences(document: AuditedDocument, masterKeys: Cipher, key: AuditKey | undefined): Text[] {
  if (document.snapshot_json === null)
    return [
      {
        en: "has no event: the journal does not know it",
        el: "δεν έχει συμβάν: το ημερολόγιο δεν το γνωρίζει",
      },
    ];
  const snapshot = parseSnapshot(document.snapshot_json);
  if (snapshot === undefined)
    return [
      {
        en: "has a newest event that cannot be read",
        el: "έχει τελευταίο συμβάν που δεν διαβάζεται",
      },
    ];
  const found = [compareFields(document, snapshot)];
  if (key !== undefined) {
    found.push(compareContents(document, masterKeys, key));
    found.push(compareState(document, snapshot, key) ?? compareIssued(document, key));
  }
  return found.filter((what) => what !== undefined);
}

function compareFields(document: AuditedDocument, snapshot: DocumentObject): Text | undefined {
  const statuses = [document.status, snapshot.status];
  const isIssued = statuses.includes("issued");
  const isSettled = statuses.some((status) => status !== "pending");
  const columns = [...(isSettled ? SETTLED : []), ...FROZEN, ...(isIssued ? ISSUED : [])];
  const differing = columns.filter((column) => document[column] !== snapshot[fieldOf(column)]).map(fieldOf);
  if (differing.length === 0) return undefined;
  return {
    en: `differs from its newest event in ${differing.join(", ")}`,
    el: `διαφέρει από το τελευταίο του συμβάν στα πεδία ${differing.join(", ")}`,
  };
}

/** Compares what was fixed at acceptance with the document's first event. */
function compareContents(document: AuditedDocument, masterKeys: Cipher, key: AuditKey): Text | undefined {
  const { sealed_contents: sealed, decided_json, letterhead_id, first_digest: expected } = document;
  if (sealed === null || decided_json === null)
    return { en: "has lost its contents", el: "έχασε το περιεχόμενό του" };
  const opened = masterKeys.open(placeIn("document_inputs", document.id), sealed);
  if (opened === undefined)
    return {
      en: "has contents that cannot be decrypted: they were changed, or belong to another document",
      el: "έχει περιεχόμενο που δεν αποκρυπτογραφείται: άλλαξε ή ανήκει σε άλλο παραστατικό",
    };
  const input = {
    document_id: document.id,
    input_json: opened.toString("utf8"),
    decided_json,
    letterhead_id,
  };
  if (document.first_type !== "document.created" || !isSame(digestOfContents(key, document, input), expected))
    return {
      en: "has other contents than when it was accepted",
      el: "έχει άλλο περιεχόμενο από εκείνο με το οποίο έγινε δεκτό",
    };
  if (document.shares_json === null || isShareOf(document.shares_json, parseAccepted(input)))
    return undefined;
  return {
    en: "has other amounts in reports than in its contents",
    el: "έχει στις αναφορές άλλα ποσά από εκείνα του περιεχομένου του",
  };
}

/** A credit note for a customer in Northern Ireland is in the region of the credited document, which may be either. */
function isShareOf(shares: string, { document, decided }: Accepted): boolean {
  const isEither = document.customer?.tax_id.country === NORTHERN_IRELAND && isCreditNote(document.type);
  const regions = isEither ? (["eu", "third_country"] as const) : [regionOf(document)];
  return regions.some((region) => JSON.stringify(sharesOf(document, decided, region)) === shares);
}

/** Compares what the snapshot does not show of a document with an outcome, such as its connection. */
function compareState(document: AuditedDocument, snapshot: DocumentObject, key: AuditKey): Text | undefined {
  if (snapshot.status === "pending" || isSame(digestOfState(key, document), document.newest_digest))
    return undefined;
  return {
    en: "is not as its newest event left it",
    el: "δεν είναι όπως το άφησε το τελευταίο του συμβάν",
  };
}

/**
 * Compares an issued document with the events that issued and cancelled it. Later events do not count, because the program writes
 * into them what the document says at the time, even if that was forged. Only a cancellation may be added after issuing, once.
 */
function compareIssued(document: AuditedDocument, key: AuditKey): Text | undefined {
  const { issued_digest: issued, cancelled_digest: cancelled } = document;
  const asIssued = { ...document, cancellation_mark: null, cancelled_at: null };
  if (issued !== null && !isSame(digestOfState(key, asIssued), issued))
    return {
      en: "is not as it was issued, although a later event shows it so",
      el: "δεν είναι όπως εκδόθηκε, αν και έτσι το δείχνει μεταγενέστερο συμβάν",
    };
  if (cancelled === null || isSame(digestOfState(key, document), cancelled)) return undefined;
  return {
    en: "is not as it was cancelled, although a later event shows it so",
    el: "δεν είναι όπως ακυρώθηκε, αν και έτσι το δείχνει μεταγενέστερο συμβάν",
  };
}

/** Checks that what filed the document is there and was sealed for it (docs/contract.md#document-substance). */
function compareFiling(
  { id, has_filing: isExpected, filing }: AuditedDocument,
  masterKeys: Cipher,
): Text | undefined {
  if (isExpected === 0) return undefined;
  if (filing === null)
    return {
      en: "has lost the XML or JSON that filed it",
      el: "έχασε το XML ή JSON με το οποίο διαβιβάστηκε",
    };
  if (masterKeys.open(placeIn("filings", id), filing) !== undefined) return undefined;
  return {
    en: "has a filed XML or JSON that cannot be decrypted: it was changed, or belongs to another document",
    el: "έχει XML ή JSON διαβίβασης που δεν αποκρυπτογραφείται: άλλαξε ή ανήκει σε άλλο παραστατικό",
  };
}

function isSame(digest: Uint8Array, expected: Uint8Array | null): boolean {
  return expected !== null && Buffer.compare(digest, expected) === 0;
}

function parseSnapshot(text: string): DocumentObject | undefined {
  try {
    return readJson<DocumentObject>(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function auditNumbers(session: Session, listener: AuditListener): Promise<void> {
  for await (const hole of findHoles(session))
    listener.problem({ check: "numbers", id: null, message: describeHole(hole) });
}
