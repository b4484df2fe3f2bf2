/** A credential that a provider repeats is removed from the log, however it is encoded. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, WITHHELD } from "../../src/logs/redaction.ts";

type Encode = (text: string) => string;

const hexOf = (character: string, width: number) => character.charCodeAt(0).toString(16).padStart(width, "0");
const eachUnit = (text: string, encode: (unit: string, index: number) => string) =>
  text.split("").map(encode).join("");
const bytesOf = (text: string) => [...Buffer.from(text)];

const base64Of = (text: string) => Buffer.from(text).toString("base64");

const ENCODINGS: Record<string, Encode> = {
  none: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  "json with slashes": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  url: encodeURIComponent,
  "url, every byte": (text) =>
    bytesOf(text)
      .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
      .join(""),
  "url, in capitals": (text) =>
    bytesOf(text)
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  "decimal entities": (text) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(""),
  "decimal entities without semicolons": (text) => eachUnit(text, (unit) => `&#${unit.charCodeAt(0)}`),
  "hexadecimal entities": (text) =>
    Array.from(text, (character) => `&#x${character.codePointAt(0)!.toString(16)};`).join(""),
  "mixed entities": (text) =>
    eachUnit(
      text,
      (unit, index) =>
        [unit, `&#${unit.charCodeAt(0)};`, `&#X00${hexOf(unit, 2).toUpperCase()};`][index % 3]!,
    ),
  xml: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  "unicode escapes": (text) => eachUnit(text, (unit) => `\\u${hexOf(unit, 4)}`),
  "unicode escapes in mixed case": (text) =>
    eachUnit(text, (unit, index) => `\\u${index % 2 === 0 ? hexOf(unit, 4).toUpperCase() : hexOf(unit, 4)}`),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in capitals": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  base64: base64Of,
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 of user and key": (text) => base64Of(`user:${text}`),
  "base64 of key and more": (text) => base64Of(`ab${text}:more`),
  "base64 in lines": (text) => base64Of(`some words before ${text}`).replaceAll(/.{10}/g, "$&\r\n"),
};

const LAYERABLE = Object.keys(ENCODINGS).filter((name) => name !== "base64 in lines");

const CHARACTERS = 'abcxyzABCXYZ0189-_.!/+=&<>"%';
const secretsOf = (characters: string) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 8, maxLength: 40 });
const words = fc.string({ unit: fc.constantFrom(..."αβγ abc:,;%&\\\"'<>{}01"), maxLength: 20 });

function logged(secret: string, encoded: string, before: string, after: string): string[] {
  const redactor = createRedactor([secret]);
  const text = `${before} ${encoded} ${after}`;
  const body = redactor.json({ message: text, list: [{ "1": text }] });
  return [redactor.text(text), typeof body === "string" ? body : (body as { message: string }).message];
}

test.each(Object.keys(ENCODINGS))("a secret is not in the log: %s", (name) => {
  fc.assert(
    fc.property(secretsOf(`${CHARACTERS}éλ`), words, words, (secret, before, after) => {
      const encoded = ENCODINGS[name]!(secret);
      for (const text of logged(secret, encoded, before, after)) {
        expect(text).not.toContain(encoded);
        expect(text.includes("[redacted]") || text === WITHHELD).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

test("a secret in two layers of encodings is not in the log", () => {
  fc.assert(
    fc.property(
      secretsOf(CHARACTERS),
      words,
      words,
      fc.constantFrom(...LAYERABLE),
      fc.constantFrom(...LAYERABLE),
      (secret, before, after, inner, outer) => {
        const encoded = ENCODINGS[outer]!(ENCODINGS[inner]!(secret));
        for (const text of logged(secret, encoded, before, after)) expect(text).not.toContain(encoded);
      },
    ),
    { numRuns: 400 },
  );
});

test("only the secret is cut out, with everything in the same Base64", () => {
  const redactor = createRedactor(["k3y/of+shop"]);
  const of = (text: string) => redactor.text(text);
  expect(of(`Authorization: Basic ${base64Of("shop:k3y/of+shop")}, then`)).toBe(
    "Authorization: Basic [redacted], then",
  );
  expect(of("code &#107;3y%2Fof%2Bshop is unknown")).toBe("code [redacted] is unknown");
  expect(of("code k3y%252Fof%252Bshop is unknown")).toBe("code [redacted] is unknown");
});

test("a body with a secret that is broken into lines is withheld", () => {
  const redactor = createRedactor(["0123456789abcdef"]);
  const wrapped = base64Of("user:0123456789abcdef").replaceAll(/.{8}/g, "$&\n");
  expect(redactor.json({ code: 1, message: wrapped })).toBe(WITHHELD);
});

test("secrets of fiscal are found by their form in other encodings", () => {
  const key = `fiscal_live_${"a1B2".repeat(9)}`;
  const redactor = createRedactor();
  expect(redactor.text(`Basic ${base64Of(`${key}:`)}`)).toBe("Basic [redacted]");
  expect(redactor.text(`key ${encodeURIComponent(encodeURIComponent(key)).replace("_", "%255f")}.`)).toBe(
    "key [redacted].",
  );
});

test("ordinary bodies stay as they are", () => {
  const redactor = createRedactor(["fake-user-4711", "fake-key-0123456789abcdef"]);
  fc.assert(
    fc.property(fc.jsonValue(), (body) => void expect(redactor.json(body)).toEqual(body)),
    { numRuns: 100 },
  );
  const link = "https://x.example/connect/ and /connect/help, classificationSource, ZmlzY2Fs";
  expect(redactor.text(link)).toBe(link);
});

test("a long text that looks like Base64 does not stop the process", () => {
  const text = "aggg".repeat(250_000);
  expect(createRedactor(["secret-of-a-connection"]).text(text)).toBe(text);
});
