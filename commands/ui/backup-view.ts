/** Backups as fields, and the flags that `restore` and `backup verify` share. */
import type { Text } from "../../src/foundation/text.ts";
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import { COUNTED_TABLES } from "../../src/upkeep/backup/backup-format.ts";
import type { Unpacked } from "../../src/upkeep/backup/unpack.ts";
import { countText, instantText, type Row, yesOrNo } from "../../src/operations/view.ts";

export const PASSPHRASE_FILE: Text = {
  en: "file with the passphrase of an encrypted backup",
  el: "αρχείο με τη φράση κρυπτογραφημένου αντιγράφου",
};

export const WITHOUT_CHECKSUM: Text = {
  en: "accept a copy of the database that another tool made",
  el: "δέχεται αντίγραφο της βάσης από άλλο εργαλείο",
};

const BACKUP: Text = { en: "backup", el: "αντίγραφο" };
const CREATED: Text = { en: "created", el: "δημιουργία" };
const ENCRYPTED: Text = { en: "encrypted", el: "κρυπτογραφημένο" };
const SCHEMA: Text = { en: "schema", el: "σχήμα" };

const TABLE_NAMES: Readonly<Record<(typeof COUNTED_TABLES)[number], Text>> = {
  merchants: { en: "merchants", el: "επιχειρήσεις" },
  connections: { en: "connections", el: "συνδέσεις" },
  documents: { en: "documents", el: "παραστατικά" },
  events: { en: "events", el: "συμβάντα" },
  webhook_endpoints: { en: "webhook endpoints", el: "παραλήπτες webhook" },
  api_keys: { en: "api keys", el: "κλειδιά API" },
  provider_calls: { en: "provider calls", el: "κλήσεις παρόχων" },
  requests: { en: "requests", el: "αιτήματα API" },
};

/** The rows of each table. */
function countFields(counts: Readonly<Record<string, number>>): Row[] {
  return COUNTED_TABLES.filter((table) => counts[table] !== undefined).map((table) => [
    TABLE_NAMES[table],
    countText(counts[table]!),
  ]);
}

export function backupFields({ manifest, file, bytes, encrypted, sha256, removed }: BackupMade): Row[] {
  const replaced: Row[] =
    removed.length === 0 ? [] : [[{ en: "removed", el: "αφαιρέθηκαν" }, removed.join(", ")]];
  return [
    [BACKUP, file],
    ["bytes", countText(bytes)],
    ["sha256", sha256],
    [ENCRYPTED, yesOrNo(encrypted)],
    [CREATED, instantText(manifest.created)],
    [SCHEMA, manifest.schema],
    ...countFields(manifest.counts),
    ...replaced,
  ];
}

/** For `--json`. A copy that another tool made has no manifest. */
export function unpackedObject(file: string, { content, manifest, encrypted }: Unpacked) {
  return {
    object: "backup",
    file,
    program: manifest?.program ?? null,
    created: manifest?.created ?? null,
    sha256: manifest?.sha256 ?? null,
    ...content,
    encrypted,
  };
}

export function unpackedFields(file: string, { content, manifest, encrypted }: Unpacked): Row[] {
  return [
    [BACKUP, file],
    [CREATED, manifest === null || manifest === undefined ? null : instantText(manifest.created)],
    [ENCRYPTED, yesOrNo(encrypted)],
    [SCHEMA, content.schema],
    ...countFields(content.counts),
  ];
}
