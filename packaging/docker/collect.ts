/** Copies the program's files for the container image to a folder: `node packaging/docker/collect.ts <folder>`. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { programFiles } from "../executable/program-files.ts";

const ROOT = resolve(import.meta.dirname, "../..");

try {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error("the folder to write to is missing");
  for (const { path, content } of await programFiles(ROOT, `linux-${process.arch}`)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
} catch (error) {
  process.stderr.write(`Cannot collect the program's files: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
