import { chmodSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { HAS_OPENSSL, makePair, type Pair, type PairOptions } from "../helpers/certificates.ts";
import { openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

/** What is found about listening, and what is wrong with the configuration. */
async function findingsOf(env: Record<string, string>): Promise<PrintedDiagnosis["findings"]> {
  const run = await workshop.run("doctor --json", { env });
  return run
    .json<PrintedDiagnosis>()
    .findings.filter(
      ({ check, severity }) => check === "listening" || (check === "configuration" && severity !== "ok"),
    );
}

const settings = ({ certFile, keyFile }: Pair) => ({
  FISCAL_SERVER__TLS_CERT_FILE: certFile,
  FISCAL_SERVER__TLS_KEY_FILE: keyFile,
});

describe.skipIf(!HAS_OPENSSL)("doctor on the certificate", () => {
  test.each<[name: string, options: PairOptions, severity: string, message: RegExp]>([
    ["that is valid for long", {}, "ok", /is valid until/],
    ["that expires within 14 days", { days: 13 }, "notice", /is valid until/],
    ["that has expired", { days: -1 }, "problem", /is valid until .* clients refuse it/],
  ])("%s", async (_name, options, severity, message) => {
    const findings = await findingsOf(settings(makePair(workshop.folder, "own", options)));
    expect(findings).toMatchObject([{ severity, message: expect.stringMatching(message) }]);
  });

  test("reports links that only work on this machine without a public address", async () => {
    const pair = settings(makePair(workshop.folder, "own"));
    const notice = { severity: "notice", message: expect.stringContaining("this machine only") };
    for (const host of ["0.0.0.0", "::", "[::]"])
      expect(await findingsOf({ ...pair, FISCAL_SERVER__HOST: host })).toMatchObject([
        notice,
        { severity: "ok" },
      ]);
    expect(await findingsOf({ ...pair, FISCAL_SERVER__HOST: "fiscal.example.com" })).toHaveLength(1);
    const named = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com:8443" };
    expect(await findingsOf({ ...pair, ...named, FISCAL_SERVER__HOST: "::" })).toHaveLength(1);
  });

  test("names the settings of an unusable pair and of a key that everyone can read", async () => {
    const pair = makePair(workshop.folder, "own");
    const other = makePair(workshop.folder, "other");
    chmodSync(other.keyFile, 0o644);
    const findings = await findingsOf(settings({ ...pair, keyFile: other.keyFile }));
    expect(findings).toMatchObject([
      { severity: "problem", message: expect.stringContaining("server.tls_key_file does not belong") },
      { severity: "problem", next_step: `chmod o= ${other.keyFile}` },
    ]);
  });
});

describe("doctor on the socket file", () => {
  test("reports a file that is not a socket, and links that lead nowhere", async () => {
    await workshop.write("fiscal.sock", "");
    expect(await findingsOf({ FISCAL_SERVER__SOCKET: "fiscal.sock" })).toMatchObject([
      { severity: "notice", message: expect.stringContaining("server.public_url is not set: links") },
      { severity: "problem", message: expect.stringContaining("not a socket") },
    ]);
  });

  test("reports a path that is too long", async () => {
    const named = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com" };
    expect(await findingsOf({ FISCAL_SERVER__SOCKET: `${"x".repeat(120)}`, ...named })).toMatchObject([
      { severity: "problem", message: expect.stringContaining("the system takes 10") },
    ]);
  });

  test("reports nothing about a missing socket file or without one", async () => {
    const named = { FISCAL_SERVER__PUBLIC_URL: "https://fiscal.example.com" };
    expect(await findingsOf({ FISCAL_SERVER__SOCKET: "fiscal.sock", ...named })).toEqual([]);
    expect(await findingsOf({})).toEqual([]);
  });
});
