import { expect, test } from "vitest";
import { createServiceLog } from "../../../commands/ui/log.ts";

test("a tax number in a caller's request id does not reach the log", async () => {
  let logged = "";
  const stream = { write: (text: string) => void (logged += text), isTTY: false };
  const log = await createServiceLog({ level: "info", format: "json" }, stream as never);
  log.info({ request_id: "client:order-094012834", status: 200 }, "request answered");
  log.info({ request_id: "req_01939123-4567-7094-8012-834000000000" }, "request answered");
  const ids = logged
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).request_id);
  expect(ids).toEqual(["client:order-*********", "req_01939123-4567-7094-8012-834000000000"]);
});
