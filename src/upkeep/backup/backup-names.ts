/** Names the backups in a folder by time and appliance, and removes the oldest of an appliance. */
import { hash } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { findAppliance } from "../../../storage/diagnosis.ts";
import { inspectDatabase } from "../../../storage/inspection.ts";
import { exists } from "./backup-files.ts";

/** `20261121T090000Z`. */
export function instantInName(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** Eight hexadecimal digits that distinguish the backups of this database from those of another in the same folder. */
export async function applianceTag(database: string): Promise<string> {
  const inspection = inspectDatabase(database);
  try {
    const appliance = await findAppliance(inspection.session);
    return hash("sha256", appliance?.created_at ?? "").slice(0, 8);
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
 * Removes the oldest backups of the appliance until `keep` are left, and returns their names. 0 keeps all. Never removes `made`, the backup just
 * made: if the clock was once ahead, older backups may have later names.
 */
export async function removeOldBackups(
  folder: string,
  { keep, tag }: { keep: number; tag: string },
  made: string,
): Promise<string[]> {
  if (keep === 0) return [];
  const others = (await listBackups(folder, tag)).filter((name) => name !== made);
  const old = others.slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}
