/** Known secrets, and the search for them in any encoding in everything that was written or sent. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Canary {
  /** The name in failure messages. */
  name: string;
  secret: string;
  /** The sources in which it may occur, by name. Default: none. */
  mayStandIn?: (source: string) => boolean;
}

/** Bytes that were written or sent, and where. */
export interface Source {
  name: string;
  bytes: Buffer;
}

/** Shorter encodings would be found in random bytes. */
const BYTES_MIN = 5;

/** The middle of `bytes` in base64 for each of the three alignments in a larger text, such as `user:key`. */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at both ends also depend on the neighbouring bytes.
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    return text.slice(start, end);
  });
}

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** The encodings in which a secret is kept out of everything (SECURITY.md), by name. */
function spellingsOf(secret: string): Map<string, Buffer> {
  const utf8 = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const html = secret.replace(/[&<>"']/g, (character) => HTML[character]!);
  const texts: [string, string][] = [
    ["as it is", secret],
    ["in JSON", json],
    ["in JSON twice", JSON.stringify(json).slice(1, -1)],
    ["in a URL", url],
    ["in a form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["in HTML", html],
    ["in XML", html.replaceAll("&#39;", "&apos;")],
    ["in hexadecimal", utf8.toString("hex")],
    ...insideBase64(utf8).flatMap((text, shift): [string, string][] => [
      [`in base64 at ${shift}`, text],
      [`in base64 for URLs at ${shift}`, text.replaceAll("+", "-").replaceAll("/", "_")],
    ]),
  ];
  const spelt = texts.map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]);
  return new Map(spelt.filter(([, bytes]) => bytes.length >= BYTES_MIN));
}

export function createCanarySearch() {
  const known: { canary: Canary; spellings: Map<string, Buffer> }[] = [];
  return {
    add: (canary: Canary) => void known.push({ canary, spellings: spellingsOf(canary.secret) }),
    /** The findings, each as a sentence. */
    search(sources: readonly Source[]) {
      const found: string[] = [];
      for (const { name, bytes } of sources) {
        for (const { canary, spellings } of known) {
          if (canary.mayStandIn?.(name) === true) continue;
          const spelling = [...spellings].find(([, needle]) => bytes.includes(needle));
          if (spelling !== undefined) found.push(`${canary.name} stands in ${name}, ${spelling[0]}`);
        }
      }
      return found;
    },
  };
}

export type CanarySearch = ReturnType<typeof createCanarySearch>;

/** Every file below `folder`, by its relative path. */
export async function readFiles(folder: string): Promise<Source[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({ name: file.slice(folder.length + 1), bytes: await readFile(file) })),
  );
}
