/** `fiscal tax-id lookup`. */
import { beforeAll, expect, test } from "vitest";
import { openWorkshop, expectPrinted } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const workshop = forAllTests(openWorkshop);
beforeAll(() => workshop.run("init --yes"));

function lookup(...args: string[]) {
  return workshop.run(["tax-id", "lookup", ...args]);
}

test.each([
  { parts: ["GR", "123456783"], country: "GR", code: "123456783" },
  { parts: ["EL123456783"], country: "GR", code: "123456783" },
  { parts: ["el", "123456783"], country: "GR", code: "123456783" },
  { parts: ["gr", "123", "456", "783"], country: "GR", code: "123456783" },
  { parts: ["EL 123.456-783"], country: "GR", code: "123456783" },
  { parts: ["DE129273398"], country: "DE", code: "129273398" },
  { parts: ["AT", "U12345678"], country: "AT", code: "U12345678" },
  { parts: ["xi 123456789"], country: "XI", code: "123456789" },
])("$parts is $country and $code", async ({ parts, country, code }) => {
  const run = await lookup(...parts, "--json");
  expect(run.exitCode).toBe(0);
  expect(run.json()).toMatchObject({
    object: "tax_id_lookup",
    country,
    code,
    valid: true,
    source: "sandbox",
  });
});

test("prints fields and the source of the result", async () => {
  const run = await lookup("GR", "123456783");
  expect(run.stdout).toContainAll(/^number +123456783$/m, /^valid +yes$/m);
  expect(run.stderr).toBe("This is the sandbox's result. Add --live to ask the EU registry.\n");
});

test("exits with 0 for an invalid number", async () => {
  expectPrinted(await lookup("GR", "099999999"), 0, /^valid +no$/m, /^name +-$/m);
});
