import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { authenticateKey } from "../../src/keys/api-keys.ts";
import { openBench } from "../helpers/appliance.ts";

test("requests that arrive together share one lookup of their key, and later ones look again", async () => {
  const bench = await openBench();
  const key = await bench.makeKey("test");
  const lookups = vi.spyOn(bench.appliance.store.read, "first");
  const authenticate = () => authenticateKey(bench.appliance, key);
  const found = await Promise.all([authenticate(), authenticate(), authenticate()]);
  expect(found.map((one) => one?.mode)).toEqual(["test", "test", "test"]);
  expect(lookups).toHaveBeenCalledTimes(1);
  await nextTurn();
  await authenticate();
  expect(lookups).toHaveBeenCalledTimes(2);
  await bench.close();
});
