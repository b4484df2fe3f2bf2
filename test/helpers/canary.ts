/** Secrets that are known, and the search for them in whatever was written or answered, however it is spelt there. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Canary {
  /** What it is, for the message of a failure. */
  name: string;
  secret: string;
  /** Where it may stand: by the name of the source. Nowhere, if left out. */
  mayStandIn?: (source: string) => boolean;
}

/** Bytes that were written or answered, and where. */
export interface Source {
  name: string;
  bytes: Buffer;
}

/** Shorter spellings would be found in random bytes. */
const BYTES_MIN = 5;

/** The inside of `bytes` in base64 as it reads at each of the three places in a larger text: `user:key` holds it, too. */
function insideBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at both ends are made of the neighbours, too.
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

function asAscii(json: string): string {
  return json.replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Every way in which `secret` might have been written down, by name. */
function spellingsOf(secret: string): Map<string, Buffer> {
  const utf8 = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret);
  const html = secret.replace(/[&<>"']/g, (character) => HTML[character]!);
  const texts: [string, string][] = [
    ["as it is", secret],
    ["in JSON", json],
    ["in JSON twice", JSON.stringify(json).slice(1, -1)],
    ["in JSON with slashes escaped", json.replaceAll("/", "\\/")],
    ["in JSON of ASCII", asAscii(json)],
    ["in a URL", url],
    ["in a URL in small letters", url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())],
    ["in a URL twice", encodeURIComponent(url)],
    ["in a form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["in HTML", html],
    ["in XML", html.replaceAll("&#39;", "&apos;")],
    ["in hexadecimal", utf8.toString("hex")],
    ...insideBase64(utf8).flatMap((text, shift): [string, string][] => [
      [`in base64 at ${shift}`, text],
      [`in base64 for URLs at ${shift}`, text.replaceAll("+", "-").replaceAll("/", "_")],
    ]),
  ];
  const spelt = new Map(texts.map(([name, text]) => [name, Buffer.from(text)]));
  const utf16 = Buffer.from(secret, "utf16le");
  spelt.set("in UTF-16", utf16);
  spelt.set("in UTF-16 the other way round", Buffer.from(utf16).swap16());
  if (/^[\0-\xff]*$/.test(secret)) spelt.set("in Latin-1", Buffer.from(secret, "latin1"));
  return new Map([...spelt].filter(([, bytes]) => bytes.length >= BYTES_MIN));
}

export interface CanarySearch {
  add(canary: Canary): void;
  /** What was found, each as a sentence. */
  search(sources: readonly Source[]): string[];
}

export function createCanarySearch(): CanarySearch {
  const known: { canary: Canary; spellings: Map<string, Buffer> }[] = [];
  return {
    add: (canary) => void known.push({ canary, spellings: spellingsOf(canary.secret) }),
    search(sources) {
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

/** Every file below `folder`, by its path in there. */
export async function readFiles(folder: string): Promise<Source[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({ name: file.slice(folder.length + 1), bytes: await readFile(file) })),
  );
}
