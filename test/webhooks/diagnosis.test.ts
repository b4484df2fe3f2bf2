import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Delivery, diagnose } from "../../src/webhooks/diagnosis.ts";

const KEY_BYTES = Buffer.alloc(32, "fiscal");
const SECRET = `whsec_${KEY_BYTES.toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const AT = 1_795_000_000;

/** As an event is posted: no spaces, Greek letters and slashes unescaped. */
const EVENT = {
  id: "evt_1",
  object: "event",
  data: { object: { name: "Καφές / ½ kg", net: 1240, "2": "b", "10": "a" } },
};
const BODY = JSON.stringify(EVENT);

function sign(key: string | Uint8Array, body: string | Uint8Array = BODY, at: number = AT): string {
  return createHmac("sha256", key).update(`${at}.`).update(body).digest("hex");
}

const headerOf = (...signatures: string[]) => [`t=${AT}`, ...signatures.map((v1) => `v1=${v1}`)].join(",");
const HEADER = headerOf(sign(SECRET));

interface Given {
  secret?: string | Uint8Array;
  header?: string;
  body?: string | Uint8Array;
  nowSeconds?: number;
}

function diagnosis(given: Given) {
  const { secret = SECRET, header = HEADER, body = BODY, nowSeconds = AT } = given;
  const delivery: Delivery = { secret: Buffer.from(secret), header, body: Buffer.from(body), nowSeconds };
  return diagnose(delivery);
}

describe("a signature that matches", () => {
  test.each<[string, Given]>([
    ["at once", {}],
    ["at the end of the tolerance", { nowSeconds: AT + 300 }],
    ["before its time, within the tolerance", { nowSeconds: AT - 300 }],
    ["with unknown elements", { header: `${HEADER},v2=abc,x` }],
    ["with the header's name before it", { header: `Service-Signature: ${HEADER}\r\n` }],
    ["over a body of bytes that are no text", bytes()],
  ])("%s", (_when, given) => {
    expect(diagnosis(given)).toMatchObject({ matches: true, reason: null });
  });

  test("by an older secret is reported as replaced", () => {
    const header = headerOf(sign(OTHER_SECRET), sign(SECRET));
    const { matches, findings } = diagnosis({ header });
    expect(matches).toBe(true);
    expect(findings.join(" ")).toContain("signature 2 of 2");
  });
});

function bytes(): Given {
  const body = Buffer.from([0xff, 0x00, 0xfe]);
  return { body, header: headerOf(sign(SECRET, body)) };
}

const WITH_SPACES = JSON.stringify(EVENT).replaceAll(/("):/g, "$1: ").replaceAll(/,"/g, ', "');

describe("explains a signature that does not match", () => {
  const again = "as JSON again";
  const foreign = headerOf(sign(OTHER_SECRET));
  const standard = "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=";
  test.each<[string, Given, string, string]>([
    ["a timestamp too old", { nowSeconds: AT + 301 }, "too_old", "301 seconds old"],
    ["a timestamp in the future", { nowSeconds: AT - 4000 }, "in_the_future", "4000 seconds in the future"],
    ["a line feed at the end of the body", { body: `${BODY}\n` }, "body_changed", "line break at its end"],
    ["a line break of Windows there", { body: `${BODY}\r\n` }, "body_changed", "line break at its end"],
    [
      "a signed line feed is gone",
      { header: headerOf(sign(SECRET, `${BODY}\n`)) },
      "body_changed",
      "its end",
    ],
    ["JSON written with two spaces", { body: JSON.stringify(EVENT, null, 2) }, "body_changed", again],
    ["and a line feed after it", { body: `${JSON.stringify(EVENT, null, 4)}\n` }, "body_changed", again],
    ["JSON written as Python does", { body: WITH_SPACES }, "body_changed", again],
    ["a byte order mark before the body", { body: `\uFEFF${BODY}\r\n` }, "body_changed", again],
    ["JSON with escapes for Greek", { body: ascii(BODY) }, "body_changed", again],
    ["JSON with escaped slashes", { body: BODY.replaceAll("/", "\\/") }, "body_changed", again],
    ["a body that is cut", { body: BODY.slice(0, 40) }, "body_cut", "after 40 bytes"],
    ["an empty body", { body: "" }, "body_cut", "empty"],
    ["a body that is no JSON", { body: "id=1&object=event" }, "body_changed", "not JSON"],
    ["the secret without its prefix", { secret: SECRET.slice(6) }, "secret_changed", "lost its prefix"],
    ["the secret in quotation marks", { secret: `"${SECRET}"` }, "secret_changed", "quotation marks"],
    ["the secret with a space", { secret: ` ${SECRET}` }, "secret_changed", "white space"],
    ["the secret with a byte order mark", { secret: `\ufeff${SECRET}` }, "secret_changed", "byte order mark"],
    ["the decoded secret", { header: headerOf(sign(KEY_BYTES)) }, "secret_changed", "base64-decoded"],
    ["a header that is cut", { header: HEADER.slice(0, -10) }, "header_changed", "has 54 characters"],
    [
      "a foreign header that is cut",
      { header: foreign.slice(0, -10) },
      "header_changed",
      "has 54 characters",
    ],
    ["a header without its end", { header: `t=${AT}` }, "no_v1", "cut after its timestamp"],
    ["a header without its beginning", { header: `v1=${sign(SECRET)}` }, "no_timestamp", "no t="],
    ["an empty header", { header: "" }, "no_timestamp", "no t="],
    ["the header of Standard Webhooks", { header: standard }, "wrong_header", "webhook-signature"],
    ["another secret", { secret: OTHER_SECRET }, "mismatch", "Either the secret is a different one"],
    ["another value", { body: BODY.replace("1240", "1241") }, "mismatch", "a value in the body was changed"],
  ])("%s", (_mistake, given, reason, says) => {
    const found = diagnosis(given);
    expect(found).toMatchObject({ matches: false, reason });
    expect(found.findings.join(" ")).toContain(says);
  });

  test("names the clock as well", () => {
    const found = diagnosis({ body: `${BODY}\n`, nowSeconds: AT + 1000 });
    expect(found.reason).toBe("body_changed");
    for (const says of ["line break at its end", "1000 seconds old"])
      expect(found.findings.join(" ")).toContain(says);
  });

  test("never repeats the secret, the body or a correct signature", () => {
    const given = [
      { secret: OTHER_SECRET },
      { body: `${BODY}\n` },
      { header: HEADER.slice(0, -10) },
      { secret: SECRET.slice(6) },
    ];
    for (const one of given) {
      const text = diagnosis(one).findings.join(" ");
      for (const hidden of [SECRET, OTHER_SECRET, SECRET.slice(6), sign(SECRET), "Καφές"])
        expect(text).not.toContain(hidden);
    }
  });

  test("always returns a diagnosis, and always recognises a correct signature", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.string(), fc.uint8Array(), (secret, header, body) => {
        const found = diagnosis({ secret, header, body });
        expect(found.matches).toBe(found.reason === null);
        expect(found.findings.length).toBeGreaterThan(0);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: -300, max: 300 }), (body, skew) => {
        const header = headerOf(sign(SECRET, body));
        expect(diagnosis({ body, header, nowSeconds: AT + skew }).matches).toBe(true);
      }),
    );
  });
});

function ascii(text: string): string {
  return text.replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
