/**
 * What a backup must never take the place of, whatever was said: files without which nothing can be restored or read, and
 * what is no file.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { validationError } from "../../foundation/errors.ts";
import { newKeyFile } from "../../keys/key-files.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { exists } from "./backup-files.ts";

/**
 * Throws `validation_failed` where `target` is the database, one of SQLite's files beside it, a master key (a replaced one
 * too), the configuration or the passphrase, by its name or by a link to it; and where it is a device or the like.
 */
export async function refuseOwnFile(config: Config, target: string, passphraseFile: string): Promise<void> {
  if ((await exists(target)) && !(await stat(target)).isFile())
    throw validationError([
      { path: "file", message: `${target} is no file that could be replaced; name another one` },
    ]);
  const place = await placeOf(target);
  const { masterKeyFile } = config.security;
  const own = [...ownFiles(config), ...(passphraseFile === "" ? [] : [passphraseFile])];
  for (const file of own)
    if (place === (await placeOf(file)) || (await areOne(target, file))) throw isOwn(target);
  if (place.startsWith(`${await placeOf(masterKeyFile)}.retired-`)) throw isOwn(target);
}

function ownFiles({ storage: { database }, security: { masterKeyFile }, file }: Config): string[] {
  const besideDatabase = ["", "-wal", "-shm", "-journal"].map((suffix) => database + suffix);
  return [...besideDatabase, masterKeyFile, newKeyFile(masterKeyFile), ...(file === null ? [] : [file])];
}

/** Where the name stands once the links of its folder are followed; the file need not be there. */
async function placeOf(file: string): Promise<string> {
  return join(await orSelf(dirname(file)), basename(file));
}

async function orSelf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (isAbsent(error)) return folder;
    throw error;
  }
}

/** One file under two names. */
async function areOne(left: string, right: string): Promise<boolean> {
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

function isOwn(target: string): Error {
  const message = `${target} is a file that this appliance works with, and is never replaced; name another one`;
  return validationError([{ path: "file", message }]);
}
