/** Checks that the database is undamaged, unaltered, and of this program's schema version, and which servers use it. */
import { instantText } from "../../foundation/clock.ts";
import { statSync } from "node:fs";
import { MEGABYTE } from "../../journal/disk/file-system.ts";
import { NewerSchemaError } from "../../../storage/database/errors.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema.ts";
import { findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { findUnexpectedObjects } from "../../../storage/sqlite/migrate.ts";
import type { FileInspection } from "../../../storage/sqlite/inspection.ts";
import {
  type Check,
  type FileCheckInput,
  type Found,
  notice,
  problem,
  sentence,
  type TableCheckInput,
  type CheckInput,
  ok,
} from "./doctor-finding.ts";
import type { ServerInspection } from "../../../storage/postgres/postgres-schema.ts";
import type { Text } from "../../foundation/text.ts";
import { findServers } from "../servers.ts";

/** What to do about a file that can no longer be trusted. */
export const REPAIR = {
  en: "stop the server, keep a copy of the whole data directory, and restore the last good backup",
  el: "σταματήστε τον διακομιστή, κρατήστε αντίγραφο όλου του φακέλου δεδομένων και επαναφέρετε το τελευταίο καλό αντίγραφο",
};

const DIFFERENCES_SHOWN_MAX = 5;

/** Reading so much takes some seconds. A larger file is read with `--deep`. */
const READ_BYTES_MAX = 128 * MEGABYTE;

export const soundnessCheck: Check<FileCheckInput> = {
  name: "database",
  async *find(input) {
    const { inspection, config, deep } = input;
    const isRead = deep || statSync(config.storage.database).size <= READ_BYTES_MAX;
    const trouble = isRead ? findDamage(inspection) : undefined;
    const found = trouble === undefined ? await compareSchema(input) : problem(trouble, REPAIR);
    if (found !== undefined) yield found;
    else if (!isRead) yield ok(NOT_READ, input.command(null, "diagnoseDeeply"));
  },
  ok: { en: "The database file is sound.", el: "Το αρχείο της βάσης είναι ακέραιο." },
};

function findDamage(inspection: FileInspection): Text | undefined {
  const damage = inspection.findDamage().join("; ");
  if (damage !== "")
    return {
      en: `The database file is damaged: ${damage}.`,
      el: `Το αρχείο της βάσης έχει φθαρεί: ${damage}.`,
    };
  const tables = inspection.findBrokenReferences().join(", ");
  if (tables === "") return undefined;
  return {
    en: `Rows of ${tables} refer to missing rows.`,
    el: `Εγγραφές του ${tables} αναφέρονται σε εγγραφές που δεν υπάρχουν.`,
  };
}

const NOT_READ = {
  en: "The database file opens. It is large, so its pages were not read.",
  el: "Το αρχείο της βάσης ανοίγει. Είναι μεγάλο, οπότε οι σελίδες του δεν διαβάστηκαν.",
};

/** Reports what is not in the schema that the migrations create, and what is missing of it (docs/contract.md#restored-schema). */
async function compareSchema(input: TableCheckInput): Promise<Found | undefined> {
  if (!hasOurSchema(input)) return undefined;
  return describeDifferences(await findUnexpectedObjects(input.inspection.session, SCHEMA_VERSION), {
    en: "undo that or restore the last good backup",
    el: "αναιρέστε το ή επαναφέρετε το τελευταίο καλό αντίγραφο",
  });
}

function describeDifferences(differences: readonly string[], repair: Text): Found | undefined {
  const shown = differences.slice(0, DIFFERENCES_SHOWN_MAX).join("; ");
  const message = {
    en: `The schema is not the one that fiscal creates (- missing, + additional): ${shown}.`,
    el: `Το σχήμα δεν είναι εκείνο που δημιουργεί το fiscal (- λείπει, + πρόσθετο): ${shown}.`,
  };
  const next = {
    en: `find out who changed it, ${repair.en}, and check the records`,
    el: `βρείτε ποιος το άλλαξε, ${repair.el} και ελέγξτε τις εγγραφές`,
    next: { operation: "audit" },
  } as const;
  return differences.length === 0 ? undefined : problem(message, next);
}

/** A trigger of another role could change or remove what is written. */
export const serverSchemaCheck: Check<ServerInspection> = {
  name: "database",
  async *find(inspection) {
    if (inspection.version() !== SCHEMA_VERSION) return;
    const undo = { en: "undo that", el: "αναιρέστε το" };
    const found = describeDifferences(await inspection.findUnexpectedObjects(), undo);
    if (found !== undefined) yield found;
  },
};

/** Never a problem: an account of the server has no rights on the tables, but it may read what the system shows to all. */
export const serverAccessCheck: Check<ServerInspection> = {
  name: "database",
  async *find(inspection) {
    if (!(await inspection.isOpenToAll())) return;
    const message = {
      en: "Every role of the database server may connect to the database.",
      el: "Κάθε ρόλος του διακομιστή της βάσης μπορεί να συνδεθεί σε αυτήν.",
    };
    const next = {
      en: "revoke connect from public on it (docs/postgres.md)",
      el: "αφαιρέστε το connect από το public (docs/postgres.md)",
    };
    yield notice(message, next);
  },
};

export function hasOurSchema({ inspection }: TableCheckInput): boolean {
  return inspection.version() === SCHEMA_VERSION;
}

export const schemaCheck: Check<TableCheckInput> = {
  name: "database",
  *find({ inspection, command }) {
    const version = inspection.version();
    const init = command(null, "initialise");
    const empty = {
      en: "The database holds no tables of fiscal.",
      el: "Η βάση δεν περιέχει πίνακες του fiscal.",
    };
    if (version > SCHEMA_VERSION) yield problem(sentence(new NewerSchemaError().text));
    else if (version < SCHEMA_VERSION)
      yield version === 0 ? problem(empty, init) : olderSchema(version, init);
  },
  ok: {
    en: `The schema has this version's number (${SCHEMA_VERSION}).`,
    el: `Το σχήμα είναι αυτής της έκδοσης (${SCHEMA_VERSION}).`,
  },
};

function olderSchema(version: number, init: string): Found {
  return notice(
    {
      en: `The schema is older (${version}) than this version's (${SCHEMA_VERSION}); the next start migrates it. Its tables were not checked.`,
      el: `Το σχήμα είναι παλαιότερο (${version}) από αυτής της έκδοσης (${SCHEMA_VERSION})· το αναβαθμίζει η επόμενη εκκίνηση. Τα περιεχόμενα των πινάκων δεν εξετάστηκαν.`,
    },
    {
      en: `start the server, or without one: ${init} – each makes a backup first; then check again`,
      el: `ξεκινήστε τον διακομιστή, ή χωρίς αυτόν: ${init} – κρατά πρώτα αντίγραφο ασφαλείας· έπειτα ελέγξτε ξανά`,
    },
  );
}

/** A restored database stays held, sending nothing, until it is resumed (docs/contract.md#held-appliance). */
export const stateCheck: Check<TableCheckInput> = {
  name: "database",
  async *find({ inspection, command }) {
    const appliance = await findAppliance(inspection.session);
    const incomplete = {
      en: "The database was created but never completed.",
      el: "Η βάση άρχισε να φτιάχνεται και δεν ολοκληρώθηκε.",
    };
    if (appliance === undefined) yield problem(incomplete, command(null, "initialise"));
    const message = {
      en: "The appliance is held after a restore, a move or lost writes: it sends nothing.",
      el: "Το σύστημα είναι σε αναμονή μετά από επαναφορά, μεταφορά ή απώλεια εγγραφών: δεν στέλνει τίποτα.",
    };
    const resume = command(null, "resume");
    const next = {
      en: `if no other one sends the same documents: ${resume}`,
      el: `αν κανένα άλλο δεν στέλνει τα ίδια παραστατικά: ${resume}`,
    };
    if (appliance?.state === "held") yield problem(message, next);
  },
};

/** Never a problem: the check `queue` reports due work that no server does. */
export const serversCheck: Check<CheckInput> = {
  name: "server",
  *find({ config }) {
    for (const note of findServers(config.storage.database)) {
      const since = note && instantText(note.since);
      yield ok({
        en: `A server is using the database${since ? `: process ${note.pid}, since ${since.en}` : ""}.`,
        el: `Ένας διακομιστής χρησιμοποιεί τη βάση${since ? `: διεργασία ${note.pid}, από ${since.el}` : ""}.`,
      });
    }
  },
  ok: {
    en: "No server on this machine is using the database at the moment.",
    el: "Κανένας διακομιστής σε αυτό το μηχάνημα δεν χρησιμοποιεί τώρα τη βάση.",
  },
};

/** Whether a failover of the database server loses nothing (docs/postgres.md#failover). Says nothing without standbys. */
export const replicationCheck: Check<ServerInspection> = {
  name: "replication",
  async *find(inspection) {
    const standbys = await inspection.countLaggingStandbys();
    if (standbys === 0) return;
    const message = {
      en: `No standby of the database server is synchronous (${standbys} asynchronous): a failover may lose acknowledged documents.`,
      el: `Κανένας εφεδρικός διακομιστής της βάσης δεν είναι σύγχρονος (${standbys} ασύγχρονοι): μια μετάπτωση μπορεί να χάσει παραστατικά.`,
    };
    const next = {
      en: "set synchronous_standby_names on the database server",
      el: "ορίστε το synchronous_standby_names στον διακομιστή της βάσης",
    };
    yield notice(message, next);
  },
};
