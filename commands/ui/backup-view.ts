/** Backups as they are shown. */
import type { BackupMade } from "../../src/upkeep/backup/backup-places.ts";
import type { Unpacked } from "../../src/upkeep/backup/unpack.ts";
import type { Field } from "./table.ts";
import { countText } from "./values.ts";
import { yesOrNo } from "./words.ts";

function countFields(counts: Readonly<Record<string, number>>): Field[] {
  return Object.entries(counts).map(([table, rows]) => [table.replaceAll("_", " "), countText(rows)]);
}

export function backupFields({ manifest, file, bytes, encrypted, sha256, removed }: BackupMade): Field[] {
  return [
    ["backup", file],
    ["bytes", bytes],
    ["sha256", sha256],
    ["encrypted", yesOrNo(encrypted)],
    ["created", manifest.created],
    ["schema", manifest.schema],
    ...countFields(manifest.counts),
    ...(removed.length === 0 ? [] : [["removed", removed.join(", ")] as const]),
  ];
}

/** What is known of a backup that was read: of a copy that another tool made, less. */
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
    ["backup", file],
    ["created", manifest?.created ?? null],
    ["encrypted", yesOrNo(encrypted)],
    ["schema", content.schema],
    ...countFields(content.counts),
  ];
}
