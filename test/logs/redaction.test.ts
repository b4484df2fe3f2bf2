import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED } from "../../src/logs/redaction.ts";

const SECRET = 'pässw"rd/+&<1>%';

describe("redacts a known secret", () => {
  test.each([
    ["as it is", `before ${SECRET} after`],
    ["in JSON", JSON.stringify({ a: SECRET })],
    ["in a URL", `?a=${encodeURIComponent(SECRET)}`],
    ["in a form", new URLSearchParams({ a: SECRET }).toString()],
    ["in XML", "<a>pässw&quot;rd/+&amp;&lt;1&gt;%</a>"],
    ["in base 64", Buffer.from(SECRET).toString("base64")],
    ["in other letter case", SECRET.toUpperCase()],
  ])("%s", (_how, text) => {
    const clean = createRedactor([SECRET]).text(text);
    expect(clean).toContain(REDACTED);
    expect(clean).not.toContain("rd");
  });

  test("in all strings and keys of a value", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.jsonValue(), (secret, value) => {
        const redactor = createRedactor([secret]);
        const clean = JSON.stringify(redactor.json({ value, nested: [{ [secret]: `x${secret}y` }] }));
        const inside = JSON.stringify(secret).slice(1, -1);
        // The replacement may itself contain the secret.
        if (!REDACTED.includes(secret)) expect(clean.replaceAll(REDACTED, "")).not.toContain(`x${inside}y`);
      }),
    );
  });
});

test("knows without a copy whether a value would be redacted", () => {
  const redactor = createRedactor(["20471100", "hidden"]);
  const names = fc.constantFrom("api_key", "jwt", "name", "hidden");
  const leaf = fc.oneof(fc.constantFrom("hidden", "aGlkZGVu", 20471100), fc.string(), fc.integer());
  const members = fc.dictionary(names, fc.oneof(leaf, fc.array(leaf), fc.dictionary(names, leaf)));
  fc.assert(
    fc.property(members, (value) => {
      const isChanged = JSON.stringify(redactor.json(value)) !== JSON.stringify(value);
      expect(redactor.changesJson(value)).toBe(isChanged);
    }),
  );
});

test("knows from JSON text whether its value would be redacted", () => {
  const redactor = createRedactor();
  const own = `fiscal_test_${"a1B2".repeat(6)}`;
  const secrets = [
    own,
    Buffer.from(own).toString("base64"),
    Buffer.from(own).toString("hex"),
    encodeURIComponent(`"${own}"`),
  ];
  const names = fc.constantFrom("api_key", "Password", "name", "jwt\\", "Ποσότητα", own);
  const leaf = fc.oneof(
    fc.constantFrom(...secrets),
    fc.constantFrom("plain", "\u0066iscal"),
    fc.string(),
    fc.integer(),
  );
  const members = fc.dictionary(names, fc.oneof(leaf, fc.array(leaf), fc.dictionary(names, leaf)));
  fc.assert(
    fc.property(members, fc.constantFrom("", "  "), fc.boolean(), (value, indent, isEscaped) => {
      const plain = JSON.stringify(value, null, indent);
      const text = isEscaped ? plain.replaceAll("f", "\\u0066") : plain;
      const isChanged = JSON.stringify(redactor.json(value)) !== JSON.stringify(value);
      expect(redactor.changesJsonText(text, value)).toBe(isChanged);
    }),
  );
});

test("redacts a number equal to a known secret", () => {
  const redactor = createRedactor(["20471100"]);
  expect(redactor.json({ user: 20471100, other: 204711, list: [20471100] })).toEqual({
    user: REDACTED,
    other: 204711,
    list: [REDACTED],
  });
  expect(redactor.text('{"user":20471100}')).toBe(`{"user":${REDACTED}}`);
});

test("redacts headers for credentials", () => {
  const headers = {
    Authorization: "Bearer x",
    "aade-user-id": "u",
    "Ocp-Apim-Subscription-Key": "k",
    "set-cookie": "a=b",
    accept: "text/xml",
  };
  expect(createRedactor().headers(headers)).toEqual({
    Authorization: REDACTED,
    "aade-user-id": REDACTED,
    "Ocp-Apim-Subscription-Key": REDACTED,
    "set-cookie": REDACTED,
    accept: "text/xml",
  });
});

test("redacts members and parameters named like credentials", () => {
  const redactor = createRedactor();
  expect(redactor.json({ api_key: "k", data: [{ jwt: "t", token: 5, name: "n" }] })).toEqual({
    api_key: REDACTED,
    data: [{ jwt: REDACTED, token: 5, name: "n" }],
  });
  expect(redactor.url("https://a.example/b?api_key=k&x=1&api%5Fkey=k")).toBe(
    `https://a.example/b?api_key=${REDACTED}&x=1&api%5Fkey=${REDACTED}`,
  );
});

test("redacts secrets of fiscal by their form", () => {
  const key = `fiscal_live_${"a1B2".repeat(9)}`;
  const text = `${key} whsec_${"Ab+/".repeat(11)}= https://x.example/connect/${"a".repeat(43)}`;
  expect(createRedactor().text(text)).toBe(`${REDACTED} ${REDACTED} https://x.example/connect/${REDACTED}`);
});

test("does not search for secrets that are too short", () => {
  expect(createRedactor(["1"]).text("11.1")).toBe("11.1");
});
