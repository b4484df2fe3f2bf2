/** `dist/THIRD-PARTY-LICENSES.txt`: what the licences of the bundled libraries ask for, that their texts are passed on. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What esbuild tells of a bundle, as far as it is read here: files by their path, and the bytes that are left of each. */
export interface BundledFiles {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** The folder of the package that a file lies in; in the innermost of several `node_modules`. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;
const RULE = "-".repeat(80);

/** The folders of the packages that something is left of in the bundle, as esbuild writes them, in order. */
export function bundledPackages({ outputs }: BundledFiles): string[] {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = files.flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (PACKAGE_FOLDER.exec(file)?.[0] ?? []) : [],
  );
  return [...new Set(folders)].sort();
}

/** The notices of the packages in `folders` (below `root`), one behind the other. Throws where a package has no licence. */
export async function writeNotices(root: string, folders: readonly string[]): Promise<string> {
  const notices = await Promise.all(folders.map((folder) => noticeOf(join(root, folder))));
  const head = `fiscal contains these ${notices.length} packages, each under the licence that stands below its name.`;
  return `${[head, ...notices].join(`\n\n${RULE}\n`)}\n`;
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  const files = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const text = texts.length > 0 ? texts.map((each) => each.trim()).join("\n\n") : standardText(manifest);
  return `${manifest.name} ${manifest.version}${manifest.license === undefined ? "" : ` (${manifest.license})`}\n\n${text}`;
}

/** Some authors name the licence in package.json alone. MIT is the only one of them, so far. */
function standardText({ name, license, author }: Manifest): string {
  if (license !== "MIT")
    throw new Error(`${name} is bundled, and has no licence that could be passed on with it`);
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  return `Copyright (c) ${holder}\n\n${MIT}`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`;
