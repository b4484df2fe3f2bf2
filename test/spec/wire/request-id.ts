// docs/contract.md#request-ids
import { expect, test } from "vitest";
import { createApp } from "../../../server/app.ts";
import { MERCHANTS, openSpecServer, useServer } from "../helpers/bench.ts";
import { closing } from "../../helpers/set-up.ts";

const server = useServer();

const ask = async (id: string) =>
  (await server.get(MERCHANTS, { headers: { "x-request-id": id } })).headers.get("x-request-id");

test.each(["12345678", "x".repeat(128), "order.4711:retry_1-A"])("the caller's %s is used", async (id) => {
  expect(await ask(id)).toBe(`client:${id}`);
});

test.each(["1234567", "x".repeat(129), "with space", "with/slash", "ümläut-12"])(
  "the caller's %s is not used, and the service creates one",
  async (id) => {
    expect(await ask(id)).toMatch(/^req_/);
  },
);

test.each([
  ["fra1::abcdef", true],
  [`${"P".repeat(16)}::${"x".repeat(110)}`, true],
  ["a.b_c-d::iad1::12345-67890", true],
  ["::abcdef", false],
  ["fra1::abcde", false],
  [`${"P".repeat(17)}::abcdef`, false],
  [`fra1::${"x".repeat(111)}`, false],
  ["fra1:abcdef", false],
])("the hosting platform's %s is used: %s", async (id, isTaken) => {
  await using own = await closing(
    openSpecServer({ env: { FISCAL_SERVER__PLATFORM_REQUEST_ID_HEADER: "x-platform-id" } }),
  );
  const { app } = createApp(own.appliance);
  const headers = { "x-platform-id": id, "x-request-id": "of-the-caller" };
  const answer = await app.request(MERCHANTS, { headers });
  expect(answer.headers.get("x-request-id")).toBe(isTaken ? id : "client:of-the-caller");
});
