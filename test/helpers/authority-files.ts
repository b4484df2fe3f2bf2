/** The authority's own files and recordings (docs/authority.md#schemas). They are not ours to publish, so a clone has none of them. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const PLACE = resolve(ROOT, "..", "shared");

export interface AuthorityFile {
  path: string;
  /** For vitest's `skip`: what is missing, and where it belongs; false if nothing is. */
  missing: string | false;
}

/** A file or folder in `shared/`, beside the project. */
export function authorityFile(name: string): AuthorityFile {
  const path = join(PLACE, name);
  const place = relative(ROOT, path);
  const missing = !existsSync(path) && `put the authority's files at ${place} (docs/authority.md#schemas)`;
  return { path, missing };
}

const hasXmllint = spawnSync("xmllint", ["--version"]).error === undefined;

/** A schema of version 2.0.2; missing too if no program can apply it. */
export function authoritySchema(name: string): AuthorityFile {
  const file = authorityFile(`mydata/xsd/v2.0.2/${name}-v2.0.2.xsd`);
  return hasXmllint ? file : { ...file, missing: "xmllint is not installed" };
}
