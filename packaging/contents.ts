/** Lists the packages that are distributed with the program: `dist/THIRD-PARTY-LICENSES.txt` and `dist/sbom.cdx.json`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The parts of esbuild's metafile that are used here: bundled files by path, with their bytes in the output. */
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

/** The folder of the package that contains a file, in the innermost of nested `node_modules`. */
const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;
const RULE = "-".repeat(80);

export function bundledPackages(bundles: readonly BundledFiles[]): string[] {
  const outputs = bundles.flatMap((bundle) => Object.values(bundle.outputs));
  const files = outputs.flatMap(({ inputs }) => Object.entries(inputs));
  const folders = files.flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (PACKAGE_FOLDER.exec(file)?.[0] ?? []) : [],
  );
  return [...new Set(folders)].sort();
}

export interface Described {
  readonly manifest: Manifest;
  /** Of its licences and notices. */
  readonly text: string;
}

/** Reads the packages in `folders` (below `root`), sorted by folder. Throws if one has no licence. */
export async function describePackages(root: string, folders: readonly string[]): Promise<Described[]> {
  return Promise.all(folders.toSorted().map((folder) => describePackage(join(root, folder))));
}

async function describePackage(folder: string): Promise<Described> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  const files = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const text = texts.length > 0 ? texts.map((each) => each.trim()).join("\n\n") : standardText(manifest);
  return { manifest, text };
}

/** The licences require their texts to be passed on. */
export function writeNotices(packages: readonly Described[]): string {
  const head = `fiscal contains these ${packages.length} packages, each under the licence printed below its name.`;
  const notices = packages.map(({ manifest: { name, version, license }, text }) => {
    return `${name} ${version}${license === undefined ? "" : ` (${license})`}\n\n${text}`;
  });
  return `${[head, ...notices].join(`\n\n${RULE}\n`)}\n`;
}

/** The bill of materials in CycloneDX 1.6. It names no time, so that equal builds have equal files. */
export function writeBill(packages: readonly Described[]): string {
  const components = packages.map(({ manifest: { name, version, license } }) => ({
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  }));
  const bill = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Some packages name their licence only in package.json. */
function standardText({ name, license, author }: Manifest): string {
  const terms = license === "MIT" ? MIT : license === "ISC" ? ISC : undefined;
  if (terms === undefined) throw new Error(`${name} is bundled but has no licence text to pass on`);
  const holder = (typeof author === "string" ? author : author?.name) ?? `the authors of ${name}`;
  return `Copyright (c) ${holder}\n\n${terms}`;
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

const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;
