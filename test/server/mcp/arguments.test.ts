import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { type ApiRequest, requestOf } from "../../../server/mcp/arguments.ts";
import { toolsOf } from "../../../server/mcp/tools.ts";
import { AppError } from "../../../src/foundation/errors.ts";

const tools = toolsOf(OPERATIONS);

function ask(name: string, given: Record<string, unknown>): ApiRequest {
  const { operation, arguments: known } = tools.get(name)!;
  return requestOf(operation, known, given);
}

const KEY = /^mcp-[0-9a-f]{64}$/;

describe("a request built from arguments", () => {
  test.each([
    [{ limit: 5 }, "limit=5"],
    [{ created_gte: "2026-11-01T00:00:00Z" }, "created%5Bgte%5D=2026-11-01T00%3A00%3A00Z"],
    [{ type: ["document.issued", "document.failed"] }, "type=document.issued&type=document.failed"],
    [{ type: "document.issued" }, "type=document.issued"],
    [{ limit: null, merchant: null }, ""],
    [{ unknown: "x" }, "unknown=x"],
  ])("encodes %j as in HTTP", (given, query) => {
    expect(ask("list_events", given).query.toString()).toBe(query);
  });

  test("leaves unknown arguments to the API to reject", () => {
    expect(ask("create_merchant", { name: "x", surname: "y" }).body).toEqual({ name: "x", surname: "y" });
  });

  test.each([
    ["get_document", {}, "id: is required"],
    ["get_document", { id: null }, "id: is required"],
    ["get_document", { id: 5 }, "id: must be a string"],
    ["list_events", { limit: {} }, "limit: must be text, a number, true or false, or a list of these"],
    ["create_merchant", { idempotency_key: 5 }, "idempotency_key: must be a string"],
    ["create_merchant", { idempotency_key: "a b" }, /^idempotency_key: must have 1 to 255 printable/],
    ["create_merchant", { idempotency_key: "é\n" }, /^idempotency_key: must have 1 to 255 printable/],
    ["create_merchant", { idempotency_key: `fiscal_test_${"0".repeat(36)}` }, /must not contain a secret/],
  ])("%s of %j is rejected", (name, given, message) => {
    expect(() => ask(name, given)).toThrow(AppError);
    expect(() => ask(name, given)).toThrow(message);
  });
});

describe("the default key of a creation", () => {
  test("is the same for the same arguments in any order, and for no others", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (given, other) => {
        const { idempotency_key: _key, ...rest } = given;
        const key = ask("create_merchant", rest).idempotencyKey;
        expect(key).toMatch(KEY);
        const turned = Object.fromEntries(Object.entries(rest).reverse());
        expect(ask("create_merchant", turned).idempotencyKey).toBe(key);
        expect(ask("create_merchant", { ...rest, another: [other] }).idempotencyKey).not.toBe(key);
      }),
    );
  });

  test("includes the path: one body for two merchants is two creations", () => {
    const keyFor = (id: string) => ask("create_connection", { id, provider: "sandbox" }).idempotencyKey;
    expect(keyFor("mer_1")).not.toBe(keyFor("mer_2"));
  });
});
