/** The adapter's properties, its credentials, and verifying them. */
import { describe, expect, test } from "vitest";
import { openBench, refusal, requestedDoc, responseDoc } from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const LIST = "RequestTransmittedDocs";

test("credentials are both secret", () => {
  expect(bench.adapter.credentials!.fields.map(({ secret }) => secret)).toEqual([true, true]);
});

describe("verifying", () => {
  test("requests an empty listing", async () => {
    bench.next(LIST, requestedDoc([]));
    const call = bench.call();
    expect(await bench.adapter.verify(call.context)).toEqual({ kind: "accepted" });
    expect(bench.got).toMatchObject([
      { what: "GET RequestTransmittedDocs", query: { mark: "999999999999999" } },
    ]);
    expect(call.shownTo(0)).toMatchObject({ status: 200 });
  });

  test.each([
    ["401", { status: 401, body: '{"statusCode":401,"message":"Access denied"}' }, "refused"],
    ["no right", responseDoc(refusal(null, "ValidationError", ["201", "α"])), "refused"],
    ["a used-up quota", { status: 403, headers: { "retry-after": "60" } }, "unavailable"],
    ["404", { status: 404 }, "unavailable"],
    ["500", { status: 500 }, "unavailable"],
    ["nothing, in a 200", "", "unavailable"],
    ["a cut", "cut" as const, "unavailable"],
  ])("%s", async (_, answer, kind) => {
    bench.next(LIST, answer);
    expect(await bench.adapter.verify(bench.call().context)).toMatchObject({
      kind,
      error: { code: expect.any(String) },
    });
  });

  test("says nothing about the credentials if no connection can be made", async () => {
    expect((await bench.unreachable.verify(bench.call().context)).kind).toBe("unavailable");
  });
});
