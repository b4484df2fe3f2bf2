/** Names the backups in a folder by time and appliance, and removes the oldest of an appliance. */
import { hash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { findAppliance } from "../../../storage/upkeep/diagnosis.ts";
import { inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import { exists } from "./backup-files.ts";

/** `20261121T090000Z`. */
export function instantInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** The appliance whose backups are in a folder, perhaps among those of others. */
export interface BackupOwner {
  /** Eight hexadecimal digits in the names of its backups. */
  tag: string;
  /** Whether it is held after a restore. Until `fiscal resume`, every appliance restored from that backup has this tag. */
  isHeld: boolean;
}

/**
 * A restore and a resumption give the database a new tag: the appliance that the backup came from may still exist, and
 * the backups that it keeps are not this one's to remove.
 */
export async function backupOwner(database: string): Promise<BackupOwner> {
  const inspection = inspectDatabase(database);
  try {
    const appliance = await findAppliance(inspection.session);
    const { created_at, backup_at, resumed_at, state } = appliance ?? {};
    const tag = hash("sha256", [created_at, backup_at, resumed_at].join(" ")).slice(0, 8);
    return { tag, isHeld: state === "held" };
  } finally {
    inspection.close();
  }
}

/** `fiscal-20261121T090000Z-1a2b3c4d.db`. */
export function backupName(nowMs: number, tag: string, encrypted: boolean): string {
  return `fiscal-${instantInName(nowMs)}-${tag}.${encrypted ? "backup" : "db"}`;
}

/** Matches only names from `backupName` with this tag: other files in the folder are never removed. */
function nameForm(tag: string): RegExp {
  return new RegExp(`^fiscal-\\d{8}T\\d{6}Z-${tag}(-\\d+)?\\.(db|backup)$`);
}

/** Whether `path` is an existing folder, or ends with a slash. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await exists(path)) && (await stat(path)).isDirectory();
}

/** The backups of an appliance in `folder`, oldest first. */
async function listBackups(folder: string, tag: string): Promise<string[]> {
  const [names, form] = [await readdir(folder), nameForm(tag)];
  return names.filter((name) => form.test(name)).sort();
}

/**
 * Removes the oldest backups of `owner` until `keep` are left, and returns their names. 0 keeps all, and so does a held
 * appliance. Never removes `made`, the backup just made: if the clock was once ahead, older backups may have later names.
 */
export async function removeOldBackups(
  folder: string,
  { keep, owner }: { keep: number; owner: BackupOwner },
  made: string,
): Promise<string[]> {
  if (keep === 0 || owner.isHeld) return [];
  const others = (await listBackups(folder, owner.tag)).filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}
