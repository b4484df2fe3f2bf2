/** `fiscal webhooks verify`. */
import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { existsSync } from "node:fs";
import { openWorkshop, type RunOptions, expectPrinted } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const BODY = '{"id":"evt_1","object":"event","data":{"object":{"name":"Καφές"}}}';
const AT = "2026-11-21T09:00:00Z";
const T = Date.parse(AT) / 1000;
const HEADER = `t=${T},v1=${createHmac("sha256", SECRET).update(`${T}.${BODY}`).digest("hex")}`;

const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  await workshop.write("secret.txt", `${SECRET}\n`);
  await workshop.write("body.json", BODY);
});

const verify = (flags: string, options?: RunOptions) =>
  workshop.run(`webhooks verify --secret-file secret.txt --header ${HEADER} ${flags}`, options);
const WHOLE = `--body-file body.json --at ${AT}`;

test("exits with 0 for a match and creates no data directory or key", async () => {
  const run = await verify(WHOLE);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain("The signature matches");
  expect(existsSync(workshop.at("data"))).toBe(false);
});

test("prints the result as JSON with --json", async () => {
  expect((await verify(`${WHOLE} --json`)).json()).toMatchObject({ matches: true, reason: null });
});

test("reads the body from standard input", async () => {
  const flags = `--body-file - --at ${AT}`;
  expect(await verify(flags, { stdin: BODY })).toMatchObject({ exitCode: 0 });
  const changed = await verify(`${flags} --json`, { stdin: `${BODY}\n` });
  expect(changed.exitCode).toBe(4);
  expect(changed.json()).toMatchObject({ matches: false, reason: "body_changed" });
});

test("uses the clock without --at, and suggests --at for an old delivery", async () => {
  const run = await verify("--body-file body.json");
  expect(run).toMatchObject({ exitCode: 4, stderr: "" });
  expect(run.stdout).toContainAll("Secret, header and body match", "--at");
});

test("exits with 4 for a secret without its prefix, without showing it", async () => {
  await workshop.write("secret.txt", SECRET.slice("whsec_".length));
  const run = await verify(WHOLE);
  expectPrinted(run, 4, "lost its prefix");
  expect(run.stdout).not.toContain(SECRET.slice("whsec_".length));
});
