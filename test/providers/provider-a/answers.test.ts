import { describe, expect, test } from "vitest";
import { buildErrorObject } from "../../../src/foundation/errors.ts";
import type { HttpAnswer } from "../../../src/providers/exchange.ts";
import { beforeSending, readAnswer, readLogin } from "../../../src/providers/provider-a/answers.ts";
import { sameInBoth } from "../../../src/foundation/text.ts";

const NOW = Date.parse("2026-11-02T08:00:00.000Z");
const ERROR = buildErrorObject("provider_unavailable", sameInBoth("as the exchange said"));

function answered(status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { kind: "answered", status, headers, body: text, bytes: Buffer.from(text) };
}

describe("a response is classified", () => {
  test("as not sent, with the connection lost, if no connection was made", () => {
    const outcome = { kind: "not_sent", error: ERROR };
    expect(readAnswer({ kind: "not_sent", error: ERROR }, NOW)).toEqual(outcome);
  });

  test("as unknown if it did not arrive", () => {
    expect(readAnswer({ kind: "unanswered", error: ERROR }, NOW)).toEqual({ kind: "unknown", error: ERROR });
  });

  test.each([
    ["JSON", 200, { id: 1 }, "read"],
    ["a list", 200, [], "read"],
    ["a readable 404", 404, { error: "no" }, "read"],
    ["a readable 422", 422, { errors: [] }, "read"],
    ["an empty 200", 200, "", "unknown"],
    ["HTML with 200", 200, "<html>", "unknown"],
    ["half an answer", 200, '{"id": "in', "unknown"],
    ["a bare text", 200, '"fine"', "unknown"],
    ["HTML with 404", 404, "<html>", "unknown"],
    ["a redirect", 302, { id: 1 }, "unknown"],
    ["a timeout of a gateway", 408, { error: "slow" }, "unknown"],
    ["a readable 500", 500, { errors: [{ title: "no" }] }, "unknown"],
    ["an unreadable 502", 502, "<html>", "unknown"],
    ["too many requests", 429, "", "not_sent"],
    ["401", 401, { errors: [{ title: "Unauthorized" }] }, "credentials_refused"],
    ["an empty 401", 401, "", "credentials_refused"],
    ["a readable 403", 403, { error: "no" }, "credentials_refused"],
    ["a page with 403", 403, "<html>", "unknown"],
  ])("%s", (_name, status, body, kind) => {
    expect(readAnswer(answered(status, body), NOW).kind).toBe(kind);
  });

  test.each([429, 503])("with a pause requested by the provider keeps it (HTTP %d)", (status) => {
    expect(readAnswer(answered(status, "", { "retry-after": "17" }), NOW)).toMatchObject({
      retryAfterMs: 17_000,
    });
  });

  test("with the provider's message if the credentials are refused", () => {
    const reply = readAnswer(answered(401, { errors: [{ status: "401", title: "Unauthorized" }] }), NOW);
    expect(reply).toMatchObject({
      error: { code: "provider_credentials_invalid", provider_message: "Unauthorized", retryable: false },
    });
  });
});

test("an unknown outcome before the send becomes not_sent", () => {
  const trouble = { kind: "unknown", error: ERROR, retryAfterMs: 5 } as const;
  expect(beforeSending(trouble)).toEqual({ kind: "not_sent", error: ERROR, retryAfterMs: 5 });
  const refused = { kind: "credentials_refused", error: ERROR } as const;
  expect(beforeSending(refused)).toBe(refused);
});

describe("a login", () => {
  const token = { data: { type: "jwt", attributes: { jwt: "a.b.c" } } };

  test("returns a token", () => {
    expect(readLogin(answered(200, token), NOW)).toEqual({ kind: "token", token: "a.b.c" });
  });

  test.each([
    ["a refusal with 200", 200, { errors: [{ title: "Not valid user" }] }, "credentials_refused"],
    ["a refusal with 401", 401, { errors: [{ title: "Not valid user" }] }, "credentials_refused"],
    ["a refusal with 404", 404, { errors: [{ title: "Not valid user" }] }, "credentials_refused"],
    ["a refusal with 422", 422, { error: "Not valid user" }, "credentials_refused"],
    ["an empty 401", 401, "", "credentials_refused"],
    ["a wrong address", 404, { status: 404, error: "Not Found" }, "not_sent"],
    ["a page of a gateway with 401", 401, "<html>", "not_sent"],
    ["HTML", 200, "<html>", "not_sent"],
    ["no token", 200, { data: { attributes: {} } }, "not_sent"],
    ["a token that cannot stand in a header", 200, { data: { attributes: { jwt: "a\nb" } } }, "not_sent"],
    ["a token with an error status", 400, token, "not_sent"],
    ["500", 500, { errors: [{ title: "no" }] }, "not_sent"],
    ["429", 429, "", "not_sent"],
  ])("%s", (_name, status, body, kind) => {
    expect(readLogin(answered(status, body), NOW).kind).toBe(kind);
  });

  test("without a response is not_sent", () => {
    expect(readLogin({ kind: "unanswered", error: ERROR }, NOW).kind).toBe("not_sent");
  });
});
