/** Prevents a backup from replacing, even with --force, the appliance's own files or anything that is not a regular file. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { validationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { newKeyFile } from "../../keys/key-files.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { exists } from "./backup-files.ts";

/**
 * Throws `validation_failed` if `target` is the database, one of SQLite's files beside it, a current or retired master key, the
 * configuration or the passphrase, by name or through a link; and if it is a device, socket or folder.
 */
export async function refuseOwnFile(config: Config, target: string, passphraseFile: string): Promise<void> {
  if ((await exists(target)) && !(await stat(target)).isFile())
    throw validationError([{ path: "file", message: isNotAFile(target) }]);
  const resolved = await resolveFolder(target);
  const { masterKeyFile } = config.security;
  const own = [...ownFiles(config), ...(passphraseFile === "" ? [] : [passphraseFile])];
  for (const file of own)
    if (resolved === (await resolveFolder(file)) || (await isSameFile(target, file))) throw refuseOwn(target);
  if (resolved.startsWith(`${await resolveFolder(masterKeyFile)}.retired-`)) throw refuseOwn(target);
}

function ownFiles({ storage: { database }, security: { masterKeyFile }, file }: Config): string[] {
  const besideDatabase = ["", "-wal", "-shm", "-journal"].map((suffix) => database + suffix);
  return [...besideDatabase, masterKeyFile, newKeyFile(masterKeyFile), ...(file === null ? [] : [file])];
}

/** Follows the links in the path of the file's folder. The file itself need not exist. */
async function resolveFolder(file: string): Promise<string> {
  return join(await realpathOrSelf(dirname(file)), basename(file));
}

async function realpathOrSelf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (isAbsent(error)) return folder;
    throw error;
  }
}

/** Whether both are names of one file. */
async function isSameFile(left: string, right: string): Promise<boolean> {
  const [one, other] = [await identityOf(left), await identityOf(right)];
  return one !== undefined && one === other;
}

async function identityOf(file: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

const isNotAFile = (target: string): Text => ({
  en: `${target} is not a regular file; name another one`,
  el: `το ${target} δεν είναι κανονικό αρχείο· δώστε άλλο`,
});

const isOwnFile = (target: string): Text => ({
  en: `${target} belongs to this appliance and is never replaced; name another file`,
  el: `το ${target} ανήκει σε αυτή την εγκατάσταση και δεν αντικαθίσταται ποτέ· δώστε άλλο αρχείο`,
});

function refuseOwn(target: string): Error {
  return validationError([{ path: "file", message: isOwnFile(target) }]);
}
