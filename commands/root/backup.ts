/** `fiscal backup`: copies the database, also while it is in use, or verifies a backup; and how backups are shown. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import type { Text } from "../../src/foundation/text.ts";
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { describeFileError } from "../file-errors.ts";
import { withProgress } from "../ui/progress.ts";
import { addCommands, verb } from "../define.ts";
import { COUNTED_TABLES, ManifestSchema } from "../../src/upkeep/backup/backup-format.ts";
import type { Unpacked } from "../../src/upkeep/backup/restore-backup.ts";
import { countText, instantText, type Row, yesOrNo } from "../../src/operations/view.ts";

const NOTES: Text = {
  en: `Works while a server is running. FILE is a database that any SQLite tool opens, followed by a checksum. In a folder (DIR/,
or backup.directory of the configuration when FILE is omitted) the backup is named after the time. It is opened and
checked before it gets its final name. It never contains the master key: keep a copy of the key elsewhere, because a
backup cannot be restored without it.`,
  el: `Λειτουργεί δίπλα σε διακομιστή που τρέχει. Το FILE είναι βάση που ανοίγει κάθε εργαλείο SQLite, με άθροισμα ελέγχου στο
τέλος της· μέσα σε φάκελο (DIR/, ή χωρίς FILE εκείνον του backup.directory των ρυθμίσεων) παίρνει όνομα από την ώρα. Το
αντίγραφο ανοίγεται και ελέγχεται πριν μπει στη θέση του. Το κύριο κλειδί δεν περιέχεται ποτέ: κρατήστε αλλού αντίγραφό
του, χωρίς αυτό δεν γίνεται επαναφορά.`,
};

const KEY_REMINDER: Text = {
  en: "The backup does not contain the master key. Keep a copy of the key elsewhere: the backup cannot be restored without it.",
  el: "Το κύριο κλειδί δεν είναι στο αντίγραφο: κρατήστε το και αλλού, χωρίς αυτό δεν γίνεται επαναφορά.",
};

/** Of `restore` as well. */
export const PASSPHRASE_FILE: Text = {
  en: "file with the passphrase of an encrypted backup",
  el: "αρχείο με τη φράση κρυπτογραφημένου αντιγράφου",
};

export const WITHOUT_CHECKSUM: Text = {
  en: "accept a copy of the database that another tool made",
  el: "δέχεται αντίγραφο της βάσης από άλλο εργαλείο",
};

const defineOwn = verb({
  argument: ["[file]", { en: "the backup, or a folder for it", el: "το αντίγραφο, ή ένας φάκελος για αυτό" }],
  flags: {
    "--force": { en: "replace an existing file", el: "αντικαθιστά αρχείο που υπάρχει ήδη" },
    "--passphrase-file <file>": {
      en: "encrypt it with the first line of this file",
      el: "το κρυπτογραφεί με την πρώτη γραμμή αυτού του αρχείου",
    },
  },
  notes: NOTES,
  examples: ["fiscal backup fiscal-today.db", "fiscal backup backups/ --passphrase-file passphrase.txt"],
  fields: [
    ...Object.keys(ManifestSchema.entries),
    "file",
    "file_bytes",
    "file_sha256",
    "encrypted",
    "removed",
  ],
  async run(context, options, file: string | undefined) {
    const { io } = context;
    const config = await context.configuration();
    // An empty name is probably an unset variable of a script, and does not mean the current folder.
    if (file === "" || (file === undefined && config.backup.directory === ""))
      throw new UsageError({
        en: "the file is missing; name one, or set backup.directory in the configuration",
        el: "λείπει το αρχείο· δώστε ένα, ή ορίστε το backup.directory στις ρυθμίσεις",
      });
    const { requireDatabaseFile } = await import("../../src/config/addresses.ts");
    requireDatabaseFile(config.storage, { en: "backup", el: "Η backup" });
    const { backUp } = await import("../../src/upkeep/backup/backup-places.ts");
    const { createClock } = await import("../../src/foundation/clock.ts");
    const target = file === undefined ? undefined : keepTrailingSlash(file, resolve(io.cwd, file));
    const folder = target === undefined ? config.backup.directory : folderOf(target);
    const isNewFolder = !existsSync(folder);
    const made = await withProgress(io, { en: "copying", el: "αντιγραφή" }, ({ update }) =>
      backUp({
        config,
        clock: createClock(),
        target,
        force: options.force === true,
        passphraseFile: options.passphraseFile && resolve(io.cwd, options.passphraseFile),
        onProgress: update,
      }),
    ).catch((error: unknown) => {
      throw describeFileError(error, file ?? config.backup.directory);
    });
    const { manifest, file: written, bytes, encrypted, sha256, removed } = made;
    return {
      object: { ...manifest, file: written, file_bytes: bytes, file_sha256: sha256, encrypted, removed },
      shown: backupFields(made),
      notes: [...(isNewFolder ? [createdText(folder)] : []), KEY_REMINDER],
    };
  },
});

export function defineBackup(command: Command, context: CommandContext): void {
  defineOwn(command, context);
  addCommands(command, context, {
    verify: {
      arguments: "<file>",
      en: "check whether a backup can be restored, without changing anything",
      el: "ελέγχει αν ένα αντίγραφο μπορεί να επαναφερθεί, χωρίς να αλλάξει τίποτα",
      // Where `backup` and `verify` have the same flag, commander always sets it on `backup`.
      load: async () => verifyOf(() => command.opts<VerifyOptions>()),
    },
  });
}

/** Adds the trailing slash that marks a folder, which `resolve` removes. */
function keepTrailingSlash(given: string, resolved: string): string {
  return /[/\\]$/.test(given) ? `${resolved}/` : resolved;
}

function folderOf(target: string): string {
  return target.endsWith("/") ? target.slice(0, -1) : dirname(target);
}

function createdText(folder: string): Text {
  return { en: `Created the folder ${folder}.`, el: `Δημιουργήθηκε ο φάκελος ${folder}.` };
}

interface VerifyOptions {
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

const verifyOf = (given: () => VerifyOptions) =>
  verb({
    flags: {
      "--passphrase-file <file>": PASSPHRASE_FILE,
      "--without-checksum": WITHOUT_CHECKSUM,
    },
    examples: ["fiscal backup verify fiscal-yesterday.db"],
    fields: "object file program created sha256 schema counts last_event encrypted sound key_tried".split(
      " ",
    ),
    async run(context, own, file: string) {
      const options = { ...own, ...given() };
      const { io } = context;
      const config = await context.configuration();
      const { passphraseOf, verifyBackup } = await import("../../src/upkeep/backup/backup-places.ts");
      const phrase = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
      const path = resolve(io.cwd, file);
      const verified = await verifyBackup(config, {
        file: path,
        passphrase: passphraseOf(config, phrase),
        withoutChecksum: options.withoutChecksum === true,
      });
      const object = { ...unpackedObject(path, verified), sound: true, key_tried: verified.keyTried };
      const note = verified.keyTried
        ? {
            en: "The backup is intact, and the master key here opens it.",
            el: "Το αντίγραφο είναι ακέραιο, και το κύριο κλειδί εδώ του ταιριάζει.",
          }
        : {
            en: "The backup is intact. There is no master key here to try with it.",
            el: "Το αντίγραφο είναι ακέραιο. Δεν δοκιμάστηκε κύριο κλειδί, γιατί εδώ δεν υπάρχει.",
          };
      return { object, shown: unpackedFields(path, verified), notes: [note] };
    },
  });

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

function backupFields({ manifest, file, bytes, encrypted, sha256, removed }: BackupMade): Row[] {
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
