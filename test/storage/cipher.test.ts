import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCipher, placeOf } from "../../storage/encryption/cipher.ts";

const KEY = new Uint8Array(32).fill(7);
const cipher = createCipher(KEY);
const PLACE = placeOf("connections", "credentials", ["con_1"]);

describe("a sealed value", () => {
  test("opens in its place, as text or bytes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
        (text, bytes) => {
          const unpaired = Buffer.from(text);
          expect(cipher.open(PLACE, cipher.seal(PLACE, text))).toEqual(unpaired);
          expect(cipher.open(PLACE, cipher.seal(PLACE, bytes))).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  test("does not contain the plain text, and is never the same twice", () => {
    const plain = "subscription-key-of-the-merchant";
    const sealed = Array.from({ length: 1000 }, () => Buffer.from(cipher.seal(PLACE, plain)));
    for (const each of sealed) expect(each.includes(plain)).toBe(false);
    const nonces = sealed.map((each) => each.subarray(4, 16).toString("hex"));
    expect(new Set(nonces).size).toBe(1000);
    expect(new Set(sealed.map((each) => each.toString("hex"))).size).toBe(1000);
  });

  test("opens from a view of a larger buffer, as a database may return it", () => {
    const sealed = Buffer.from(cipher.seal(PLACE, "secret"));
    const around = Buffer.concat([Buffer.alloc(5, 1), sealed, Buffer.alloc(3, 2)]);
    expect(cipher.open(PLACE, around.subarray(5, 5 + sealed.length))?.toString()).toBe("secret");
  });
});

describe("a sealed value does not open", () => {
  const sealed = Buffer.from(cipher.seal(PLACE, "secret"));

  test.each([
    ["connections", "credentials", ["con_2"]],
    ["connections", "sealed", ["con_1"]],
    ["mails", "credentials", ["con_1"]],
    ["connections", "credentials", ["con_1", ""]],
    ["connections", "credentials", []],
    ["connections,credentials", "con_1", []],
  ])("in the place %s %s %j", (table, column, key) => {
    expect(cipher.open(placeOf(table, column, key), sealed)).toBeUndefined();
  });

  test("with another key", () => {
    expect(createCipher(new Uint8Array(32).fill(8)).open(PLACE, sealed)).toBeUndefined();
  });

  test("with any single bit changed", () => {
    for (let index = 0; index < sealed.length * 8; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index >> 3]! ^= 1 << (index & 7);
      expect(cipher.open(PLACE, changed)).toBeUndefined();
    }
  });

  test("when bytes are missing or added", () => {
    for (let length = 0; length < sealed.length; length += 1) {
      expect(cipher.open(PLACE, sealed.subarray(0, length))).toBeUndefined();
    }
    expect(cipher.open(PLACE, Buffer.concat([sealed, Buffer.alloc(1)]))).toBeUndefined();
  });
});

test.each([0, 16, 31, 33, 64])("rejects a master key of %d bytes", (length) => {
  expect(() => createCipher(new Uint8Array(length))).toThrow(RangeError);
});
