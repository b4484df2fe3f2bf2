/** The fake of the licensed provider notices what the provider would reject. */
import { expect, test } from "vitest";
import { startFakeProviderA } from "../helpers/fake-provider-a.ts";

test("reports invalid requests and unused faults when it is closed", async () => {
  const fake = await startFakeProviderA({ tenants: [] });
  await fetch(`${fake.url}/invoice`);
  fake.next({ kind: "empty", done: false });
  await expect(fake.close()).rejects.toThrow(/no such address here\nnothing met the fault/);
});
