/** Backups as fields, and the flags that `restore` and `backup verify` share. */
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import type { Unpacked } from "../../src/upkeep/backup/unpack.ts";
import type { Field } from "./table.ts";
import { countText, instantText } from "./values.ts";
import { yesOrNo } from "./words.ts";

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

/** The rows of each table. */
function countFields(counts: Readonly<Record<string, number>>): Field[] {
  return Object.entries(counts).map(([table, rows]) => [
    sameInBoth(table.replaceAll("_", " ")),
    countText(rows),
  ]);
}

export function backupFields({ manifest, file, bytes, encrypted, sha256, removed }: BackupMade): Field[] {
  const replaced: Field[] =
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

export function unpackedFields(file: string, { content, manifest, encrypted }: Unpacked): Field[] {
  return [
    [BACKUP, file],
    [CREATED, manifest === null || manifest === undefined ? null : instantText(manifest.created)],
    [ENCRYPTED, yesOrNo(encrypted)],
    [SCHEMA, content.schema],
    ...countFields(content.counts),
  ];
}
