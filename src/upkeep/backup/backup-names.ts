/** The names of backups in a folder: they tell when each was made, and sort by it. */
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

/** Only what `backupName` makes: whatever else lies there is left alone. */
const NAME_FORM = /^fiscal-\d{8}T\d{6}Z(-\d+)?\.(db|backup)$/;

/** Whether `path` names a folder: it is one, or it ends like one. */
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
 * Takes the oldest backups away until `keep` are left; answers their names. 0 keeps all. Never the one of the name `made`: after
 * a clock that was ahead it is not the newest by its name.
 */
export async function removeOldBackups(folder: string, keep: number, made: string): Promise<string[]> {
  if (keep === 0) return [];
  const others = (await listBackups(folder)).filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}
