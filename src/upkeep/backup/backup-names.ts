/** Names the backups in a folder by the time they were made, and removes the oldest. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "./backup-files.ts";

/** `20261121T090000Z`. */
export function instantInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

export function backupName(nowMs: number, encrypted: boolean): string {
  return `fiscal-${instantInName(nowMs)}.${encrypted ? "backup" : "db"}`;
}

/** Matches only names from `backupName`: other files in the folder are never removed. */
const NAME_FORM = /^fiscal-\d{8}T\d{6}Z(-\d+)?\.(db|backup)$/;

/** Whether `path` is an existing folder, or ends with a slash. */
export async function isFolder(path: string): Promise<boolean> {
  if (/[/\\]$/.test(path)) return true;
  return (await exists(path)) && (await stat(path)).isDirectory();
}

/** The backups in `folder`, oldest first. */
async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => NAME_FORM.test(name)).sort();
}

/**
 * Removes the oldest backups until `keep` are left, and returns their names. 0 keeps all. Never removes `made`, the backup just
 * made: if the clock was once ahead, older backups may have later names.
 */
export async function removeOldBackups(folder: string, keep: number, made: string): Promise<string[]> {
  if (keep === 0) return [];
  const others = (await listBackups(folder)).filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}
