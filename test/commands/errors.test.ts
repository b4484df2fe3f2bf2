/** docs/authority.md#error-codes */
import { describe, expect, test } from "vitest";
import { openWorkshop } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const workshop = forAllTests(openWorkshop);

describe("errors explain", () => {
  test.each([
    ["102", "not active", "tax number"],
    ["319", "credited document", "net amount"],
    ["228", "sent before", "Report it"],
    ["310", "or none", "looks it up"],
    ["323", "annual income", "licensed provider"],
    ["330", "unexpected technical error", "classification"],
    ["233", "sent before", "looks it up"],
    ["201", "not authorised", "connections verify"],
  ])("says what %s means and what to do", async (code, meaning, next) => {
    const run = await workshop.run(["errors", "explain", code, "--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.json()).toEqual({
      code,
      meaning: expect.stringContaining(meaning),
      next: expect.stringContaining(next),
    });
    const greek = await workshop.run(["--lang", "el", "errors", "explain", code]);
    expect(greek.stdout).toMatch(/σημασία.+\n.*τι να κάνετε/);
  });

  test("tells an unknown code from a malformed one", async () => {
    expect(await workshop.run(["errors", "explain", "999"])).toMatchObject({ exitCode: 3 });
    expect(await workshop.run(["errors", "explain", "abc"])).toMatchObject({ exitCode: 2 });
  });
});
