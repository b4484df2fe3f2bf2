import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED } from "../../src/logs/redaction.ts";

const SECRET = `K"ey/ä &'<1>%\\+Ω`;
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Each with what is left of it. */
const FORMS: [how: string, text: string, left?: string][] = [
  ["as it is", SECRET],
  ["in JSON", inJson(SECRET)],
  ["in JSON with slashes escaped", inJson(SECRET).replaceAll("/", "\\/")],
  ["in a URL", encodeURIComponent(SECRET)],
  [
    "in a URL, with small letters",
    encodeURIComponent(SECRET).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  ],
  ["in JSON in a URL", encodeURIComponent(inJson(SECRET))],
  ["in a form", new URLSearchParams({ a: SECRET }).toString(), "a=[redacted]"],
  ["in XML", inXml(SECRET)],
  ["in XML with apostrophes escaped", inXml(SECRET).replaceAll("'", "&apos;")],
  ["in JSON in XML", inXml(inJson(SECRET))],
  ["in hex", Buffer.from(SECRET).toString("hex")],
  ["in hex with capitals", Buffer.from(SECRET).toString("hex").toUpperCase()],
  ["in Base64", Buffer.from(SECRET).toString("base64")],
  ["in Base64 for URLs", Buffer.from(`ab${SECRET}`).toString("base64url")],
  ["in Base64 with a user", Buffer.from(`shop:${SECRET}`).toString("base64")],
  ["in Base64 of a longer text", Buffer.from(`{"a":"${SECRET} and so on`).toString("base64")],
];

describe("cuts out a known secret", () => {
  test.each(FORMS)("%s", (_how, text, left = REDACTED) => {
    const redactor = createRedactor(["other", SECRET]);
    expect(redactor.text(`before ${text}, after`)).toBe(`before ${left}, after`);
    expect(redactor.json([{ [text]: text }])).toEqual([{ [left]: left }]);
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

test("knows from JSON text that its value may be redacted", () => {
  const redactor = createRedactor();
  const own = `fiscal_test_${"a1B2".repeat(6)}`;
  const names = fc.constantFrom("api_key", "Password", "name", "jwt\\", "Ποσότητα", own);
  const leaf = fc.oneof(
    fc.constantFrom(own, `key ${own}.`, `fiscal_test_${"a".repeat(9)}`),
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
      if (isChanged) expect(redactor.mayChangeJson(text)).toBe(true);
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

test("redacts every header that is not known to be harmless, and secrets in the others", () => {
  const headers = {
    Authorization: "Bearer x",
    "aade-user-id": "u",
    "x-heard": "y",
    location: "/a/hidden",
    accept: "text/xml",
  };
  expect(createRedactor(["hidden"]).headers(headers)).toEqual({
    Authorization: REDACTED,
    "aade-user-id": REDACTED,
    "x-heard": REDACTED,
    location: `/a/${REDACTED}`,
    accept: "text/xml",
  });
});

test.each([
  "aade-user-id",
  "Ocp-Apim-Subscription-Key",
  "x-api-key",
  "Cookie",
  "set-cookie",
  "Proxy-Authorization",
  "service-signature",
])("redacts the header %s", (name) => {
  expect(createRedactor().headers({ [name]: "x" })).toEqual({ [name]: REDACTED });
});

test.each([
  ..."api_key api-key apikey subscription_key subscription-key secret password token access_token accessToken".split(
    " ",
  ),
  ..."refresh_token refreshToken client_secret clientSecret authorization Authorization JWT".split(" "),
])("redacts the member %s", (name) => {
  expect(createRedactor().json({ [name]: "x" })).toEqual({ [name]: REDACTED });
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

test("ordinary bodies stay as they are", () => {
  const redactor = createRedactor(["fake-user-4711", "fake-key-0123456789abcdef"]);
  fc.assert(
    fc.property(fc.jsonValue(), (body) => void expect(redactor.json(body)).toEqual(body)),
    { numRuns: 50 },
  );
  const link = "https://x.example/connect/ and /connect/help, classificationSource, ZmlzY2Fs";
  expect(redactor.text(link)).toBe(link);
});

test("a long text with many encoded characters does not stop the process", () => {
  const secret = "secret-of-a-connection";
  const text = `${"aggg".repeat(250_000)} ${Buffer.from(secret).toString("base64")}`;
  expect(createRedactor([secret]).text(text)).toBe(text.replace(/ .*/, ` ${REDACTED}`));
});
