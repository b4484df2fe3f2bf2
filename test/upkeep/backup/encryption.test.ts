/** The header of an encrypted backup is checked before a key is derived from it, which takes time and memory. */
import { createHook } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { decrypt, encrypt, UnreadableBackup } from "../../../src/upkeep/backup/backup-format.ts";

let derivations = 0;
const hook = createHook({
  init: (_id, type) => {
    if (type === "SCRYPTREQUEST") derivations += 1;
  },
}).enable();
beforeEach(() => void (derivations = 0));
afterAll(() => void hook.disable());

async function* pieces(...bytes: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* bytes;
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test.each([0, 1, 16, 18, 20, 31, 255])(
  "a cost of 2^%i in the header is refused before scrypt runs",
  async (cost) => {
    const sealed = Buffer.concat([Buffer.from("FISCALE1"), Buffer.from([cost]), randomBytes(200)]);
    await expect(readAll(decrypt(pieces(sealed), "correct horse"))).rejects.toThrow(UnreadableBackup);
    expect(derivations).toBe(0);
  },
);

test("a header without content is refused before scrypt runs", async () => {
  const sealed = Buffer.concat([Buffer.from("FISCALE1"), Buffer.from([17]), randomBytes(16)]);
  await expect(readAll(decrypt(pieces(sealed), "correct horse"))).rejects.toThrow(UnreadableBackup);
  expect(derivations).toBe(0);
});

test("the program's own header is accepted", async () => {
  const sealed = await readAll(encrypt(pieces(Buffer.from("content")), "correct horse"));
  expect((await readAll(decrypt(pieces(sealed), "correct horse"))).toString()).toBe("content");
  expect(derivations).toBe(2);
});

test("a file that was cut off after a whole piece is refused", async () => {
  const [pieceBytes, sealBytes, headerBytes] = [1_048_576, 16, 25];
  const sealed = await readAll(encrypt(pieces(randomBytes(pieceBytes + 1)), "correct horse"));
  const start = sealed.subarray(0, headerBytes + pieceBytes + sealBytes);
  await expect(readAll(decrypt(pieces(start), "correct horse"))).rejects.toThrow(UnreadableBackup);
});
