/** Interprets the HTTP status of a response. */
import { describe, expect, test } from "vitest";
import { buildErrorObject } from "../../../src/foundation/errors.ts";
import { classifyResponse } from "../../../src/providers/registry-direct/client.ts";
import { responseDoc } from "./bench.ts";
import { sameInBoth } from "../../../src/foundation/text.ts";

const NOW_MS = Date.parse("2026-11-02T08:00:00.000Z");

const GATEWAY_403 = '{ "statusCode": 403, "message": "Access denied." }';

function answered(status: number, body = "", headers: Record<string, string> = {}) {
  return classifyResponse({ kind: "answered", status, headers, body, bytes: new Uint8Array() }, NOW_MS);
}

describe("each status", () => {
  test.each([
    [200, "unknown"],
    [204, "unknown"],
    [301, "unknown"],
    [302, "unknown"],
    [400, "unknown"],
    [401, "credentials_refused"],
    [403, "unknown"],
    [404, "not_sent"],
    [405, "not_sent"],
    [408, "unknown"],
    [409, "unknown"],
    [413, "message_refused"],
    [415, "not_sent"],
    [422, "unknown"],
    [429, "not_sent"],
    [500, "unknown"],
    [502, "unknown"],
    [503, "unknown"],
    [504, "unknown"],
    [599, "unknown"],
  ])("%i without a body: %s", async (status, kind) => {
    expect(await answered(status)).toMatchObject({ kind, error: { message: expect.any(String) } });
  });

  test.each([200, 201])("%i with XML is parsed", async (status) => {
    expect(await answered(status, responseDoc())).toMatchObject({
      kind: "read",
      root: { name: "ResponseDoc" },
    });
  });

  test.each(["<html><body>Just a moment<br></body></html>", "OK", "{}", " \r\n"])(
    "200 with %s is unknown",
    async (body) => {
      expect((await answered(200, body)).kind).toBe("unknown");
    },
  );

  // docs/contract.md#http-403-to-a-send
  test.each([
    ["the gateway's JSON", GATEWAY_403, "credentials_refused"],
    ["the application's XML", responseDoc(), "credentials_refused"],
    ["a web page", "<html><body>Forbidden</body></html>", "unknown"],
    ["nothing", " \n", "unknown"],
    ["a sentence", "Forbidden", "unknown"],
    ["a firewall's JSON", '{"message":"Forbidden"}', "unknown"],
  ])("403 with %s", async (_name, body, kind) => {
    expect((await answered(403, body)).kind).toBe(kind);
  });
});

test("a request without a connection was not sent, and one without an answer may have arrived", async () => {
  const error = buildErrorObject("provider_unavailable", sameInBoth("words"));
  expect(await classifyResponse({ kind: "not_sent", error }, NOW_MS)).toEqual({ kind: "not_sent", error });
  expect(await classifyResponse({ kind: "unanswered", error }, NOW_MS)).toEqual({ kind: "unknown", error });
});

describe("a retry pause", () => {
  test.each([
    [429, ""],
    [403, GATEWAY_403],
  ])("with %i puts off, and refuses no account", async (status, body) => {
    expect(await answered(status, body, { "retry-after": "7" })).toMatchObject({
      kind: "not_sent",
      retryAfterMs: 7000,
      error: { code: "provider_unavailable", retryable: true },
    });
  });

  test.each([503, 403])(
    "with a %i of something else is kept, and the outcome stays unknown",
    async (status) => {
      expect(await answered(status, "<html></html>", { "retry-after": "30" })).toMatchObject({
        kind: "unknown",
        retryAfterMs: 30_000,
      });
    },
  );
});

describe("a gateway's message", () => {
  test("as JSON is kept with the body", async () => {
    const raw = { statusCode: 401, message: "Access denied due to invalid subscription key." };
    expect(await answered(401, JSON.stringify(raw))).toMatchObject({
      kind: "credentials_refused",
      error: {
        code: "provider_credentials_invalid",
        provider_code: "401",
        provider_message: raw.message,
        provider_raw: raw,
        retryable: false,
      },
    });
  });

  test("as a sentence is kept", async () => {
    expect(await answered(400, " The mark is missing \n")).toMatchObject({
      error: { provider_code: "400", provider_message: "The mark is missing" },
    });
  });

  test.each([
    ["a page", "<html></html>"],
    ["nothing", ""],
    ["a very long text", "a".repeat(1001)],
    ["JSON without any", "{}"],
  ])("is not recognised: %s", async (_, body) => {
    expect(await answered(403, body)).toMatchObject({
      error: { provider_code: "403", provider_message: null },
    });
  });
});
