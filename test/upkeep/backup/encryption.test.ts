/** The header of an encrypted backup is checked before a key is derived from it, which takes time and memory. */
import { randomBytes } from "node:crypto";
import { beforeEach, expect, test, vi } from "vitest";
import { decrypt, encrypt, UnreadableBackup } from "../../../src/upkeep/backup/encryption.ts";

const { scrypt } = vi.hoisted(() => ({ scrypt: vi.fn() }));
vi.mock("node:crypto", async (load) => {
  const crypto = await load<typeof import("node:crypto")>();
  scrypt.mockImplementation(crypto.scrypt as never);
  return { ...crypto, scrypt };
});
beforeEach(() => void scrypt.mockClear());

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
    expect(scrypt).not.toHaveBeenCalled();
  },
);

test("a header without content is refused before scrypt runs", async () => {
  const sealed = Buffer.concat([Buffer.from("FISCALE1"), Buffer.from([17]), randomBytes(16)]);
  await expect(readAll(decrypt(pieces(sealed), "correct horse"))).rejects.toThrow(UnreadableBackup);
  expect(scrypt).not.toHaveBeenCalled();
});

test("the program's own header is accepted", async () => {
  const sealed = await readAll(encrypt(pieces(Buffer.from("content")), "correct horse"));
  expect((await readAll(decrypt(pieces(sealed), "correct horse"))).toString()).toBe("content");
  expect(scrypt).toHaveBeenCalledTimes(2);
});
