/** Copies the program's files for the container image to a folder: `node packaging/docker/collect.ts <folder>`. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { programFiles } from "../executable/program-files.ts";

const ROOT = resolve(import.meta.dirname, "../..");

async function collect(folder: string): Promise<void> {
  for (const { path, content } of await programFiles(ROOT, `linux-${process.arch}`)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("the folder to write to is missing");
  await collect(resolve(folder));
}

main().catch((error: unknown) => {
  process.stderr.write(
    `Cannot collect the program: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
