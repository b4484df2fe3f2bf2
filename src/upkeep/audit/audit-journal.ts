/** Audits everything that must never change: the journal's chain, the documents and their numbers. Only reads. */
import { type ApplianceRow, findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { countAuditedRows } from "../../../storage/journal/audit.ts";
import { type Cipher, keyNameOf } from "../../../storage/encryption/cipher.ts";
import { type AuditKey, createKeyRing, isKeyOf, openAuditKey } from "../../../storage/encryption/key-ring.ts";
import { MasterKeyError, NewerSchemaError, StorageError } from "../../../storage/database/errors.ts";
import { readProgress, stateFileIn, type StoredProgress } from "../../../storage/database/lost-writes.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema.ts";
import type { Session } from "../../../storage/database/session.ts";
import { auditChain, type ChainReport } from "./event-chain-check.ts";
import { auditDocuments, auditNumbers } from "./document-check.ts";
import type { Text } from "../../foundation/text.ts";
import { yieldToOthers } from "../../foundation/turns.ts";
import type { AuditListener, AuditProblem, NotedLink } from "./audit-finding.ts";
import type { Inspection } from "../../../storage/database/store.ts";
import type { Config } from "../../config/config.ts";
import { atAddress, readDatabaseUrl, usesPostgres } from "../../config/addresses.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { loadMasterKeys } from "../../keys/key-files.ts";

/** `problems` has the first, in the order in which they were found. */
export type Audit = Awaited<ReturnType<typeof audit>>;

export interface AuditOptions {
  /** A link that was noted elsewhere, and must still be in the journal. */
  against?: NotedLink | undefined;
  /** How far the machine saw the database come, read before the session began. */
  seen?: StoredProgress | undefined;
  onProgress?(done: number, total: number): void;
}

/** Nobody reads more; `problems_found` counts them all. */
const PROBLEMS_KEPT_MAX = 100;
/** Rows after which other work of the process has its turn. */
const ROWS_A_TURN = 500;

/**
 * The session must see one consistent state. `masterKeys` decrypts the audit key. Memory does not grow with the number of
 * rows. Throws MasterKeyError if the database was made with another master key, because nothing could be verified.
 */
export async function audit(session: Session, masterKeys: Cipher, options: AuditOptions = {}) {
  const recorded = await findAppliance(session);
  if (recorded === undefined || !isKeyOf(masterKeys, recorded.key_check)) throw new MasterKeyError();
  const total = (await countAuditedRows(session)) ?? 0;
  const problems: AuditProblem[] = [];
  let found = 0;
  let done = 0;
  const listener: AuditListener = {
    problem(problem) {
      found += 1;
      if (problems.length < PROBLEMS_KEPT_MAX) problems.push(problem);
    },
    row() {
      done += 1;
      if (done % ROWS_A_TURN !== 0) return undefined;
      options.onProgress?.(done, Math.max(done, total));
      return yieldToOthers();
    },
  };
  const key = readAuditKey(masterKeys, recorded, listener);
  const chain =
    key === undefined
      ? NOTHING_VERIFIED
      : await auditChain(session, { key, end: recorded }, listener, linksToFind(recorded, options));
  const documents = await auditDocuments(session, masterKeys, key, listener);
  await auditNumbers(session, listener);
  return {
    object: "audit" as const,
    intact: found === 0,
    ...chain,
    documents,
    problems,
    problems_found: found,
  };
}

function linksToFind(recorded: ApplianceRow, { against, seen }: AuditOptions): NotedLink[] {
  const links = against === undefined ? [] : [against];
  const isOurs = seen !== undefined && seen.createdAt === recorded.created_at;
  // After a later hold the database counts as it was then.
  const isCurrent = isOurs && (seen.resumedAt ?? "") >= (recorded.resumed_at ?? "");
  if (isCurrent && seen.linkId > "") links.push({ id: seen.linkId, hash: seen.link });
  return links;
}

const NOTHING_VERIFIED: ChainReport = { events: 0, forgotten: 0, redacted: 0, head: null };

/** Reports an audit key that is not the one fiscal stored. Undefined if it cannot be used. */
function readAuditKey(
  masterKeys: Cipher,
  { audit_key: sealed, key_check: check }: ApplianceRow,
  listener: AuditListener,
): AuditKey | undefined {
  const key = openAuditKey(masterKeys, sealed);
  if (key === undefined) listener.problem({ check: "journal", id: null, message: KEY_CHANGED });
  // A rotation of the master key replaces both in one write.
  else if (keyNameOf(sealed) !== keyNameOf(check))
    listener.problem({ check: "journal", id: null, message: KEY_PUT_BACK });
  return key;
}

const KEY_CHANGED: Text = {
  en: "The audit key in the database was replaced or damaged, so no event can be verified.",
  el: "Το κλειδί ελέγχου στη βάση αντικαταστάθηκε ή φθάρηκε, οπότε κανένα συμβάν δεν μπορεί να επαληθευτεί.",
};
const KEY_PUT_BACK: Text = {
  en: "The audit key is encrypted with an earlier master key: an old copy of it was put back.",
  el: "Το κλειδί ελέγχου είναι κρυπτογραφημένο με προηγούμενο κύριο κλειδί: κάποιος έβαλε πίσω παλιό αντίγραφό του.",
};

/** Audits the database of `config`. Throws StorageError or ConfigurationError if it cannot be read. */
export async function auditDatabase(
  { storage, security, dataDir }: Config,
  options: Omit<AuditOptions, "seen">,
): Promise<Audit> {
  const database = usesPostgres(storage) ? "PostgreSQL" : storage.database;
  // Before the database is read, which may be further by then.
  const seen = readProgress(stateFileIn(dataDir));
  const inspection = await openInspection(storage);
  try {
    const version = inspection.version();
    if (version > SCHEMA_VERSION) throw new NewerSchemaError(database);
    if (version < SCHEMA_VERSION) throw olderSchema(database, version);
    const masterKeys = createKeyRing(() => loadMasterKeys(security, true));
    return await audit(inspection.session, masterKeys, { ...options, seen });
  } finally {
    inspection.close();
  }
}

function olderSchema(database: string, found: number): ConfigurationError {
  return new ConfigurationError({
    en: `The database ${database} has schema ${found}, not ${SCHEMA_VERSION}: upgrade it`,
    el: `Η βάση ${database} έχει το σχήμα ${found}, όχι ${SCHEMA_VERSION}: αναβαθμίστε την`,
    next: { operation: "initialise" },
  });
}

async function openInspection(storage: Config["storage"]): Promise<Inspection> {
  const url = readDatabaseUrl(storage);
  if (url === undefined) {
    const { inspectDatabase } = await import("../../../storage/sqlite/inspection.ts");
    return inspectDatabase(storage.database);
  }
  const { inspectPostgres } = await import("../../../storage/postgres/postgres-schema.ts");
  try {
    return await inspectPostgres(url);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new ConfigurationError(atAddress(storage, error.text), { cause: error });
  }
}
