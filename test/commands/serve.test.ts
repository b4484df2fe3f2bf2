/** `fiscal serve`. */
import type { X509Certificate } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { csrfOf } from "../helpers/console.ts";
import { HAS_OPENSSL, makePair } from "../helpers/certificates.ts";
import {
  expectRefused,
  expectSaid,
  openWorkshop,
  type Run,
  type RunningProgram,
  type RunOptions,
} from "../helpers/program.ts";
import { addShop, lines, receipt } from "../helpers/receipts.ts";
import { serve, waitUntilIssued } from "../helpers/serve-command.ts";
import { findFreePort } from "../helpers/serving.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);

/** Serves while `visit` runs, then ends it, and returns how it ended. */
async function serveWhile(
  args: string[],
  options: RunOptions = {},
  visit?: (url: string) => unknown,
): Promise<Run & { url: string }> {
  const { url, program, ended } = await serve(workshop, args, options);
  await visit?.(url);
  program.interrupt();
  return { ...(await ended), url };
}

/** Signs in to the console with an API key. */
async function signIn(url: string, key: string): Promise<void> {
  const address = `${url}/console/sign-in`;
  const page = await fetch(address);
  const headers = { origin: url, cookie: page.headers.getSetCookie()[0]!.split(";", 1)[0]! };
  const body = new URLSearchParams({ csrf: csrfOf(await page.text()), key });
  expect(await fetch(address, { method: "POST", redirect: "manual", headers, body })).toMatchObject({
    status: 303,
  });
}

test.each(["SIGTERM", "SIGINT"] as const)("responds until %s, then ends with 0", async (signal) => {
  const { url, program, ended } = await serve(workshop);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  program.interrupt(signal);
  expect((await ended).exitCode).toBe(0);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test("issues documents that a command queued", async () => {
  await addShop(workshop);
  const args = ["documents", "issue", "-", "--format", "ndjson", "--merchant", "shop", "--no-wait"];
  await workshop.run(args, { stdin: lines([receipt("A-1")]) });
  expect((await serveWhile([], {}, () => waitUntilIssued(workshop))).exitCode).toBe(0);
});

test("logs the effective settings as JSON lines on stderr, with secrets as set or not set", async () => {
  const run = await serveWhile([], { env: { FISCAL_SERVER__METRICS_TOKEN: "hunter2-hunter2" } });
  const logged = run.stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged.map(({ msg }) => msg)).toEqual([
    "created the data directory",
    "starting",
    "listening",
    "stopping",
    "stopped",
  ]);
  const settings = { server: { port: 0, metricsToken: "set" } };
  expect(logged[1]).toMatchObject({ level: "info", settings });
  expect(run.stderr + run.stdout).not.toContain("hunter2");
});

test("logs readable lines in pretty format, and nothing below the level", async () => {
  const { stderr } = await serveWhile([], { env: { FISCAL_LOG__FORMAT: "pretty" } });
  expect(stderr).toMatch(/^\d{4}-\S+Z {2}info {3}listening \(url=http:\/\/127\.0\.0\.1:\d+\)$/m);
  expect((await serveWhile([], { env: { FISCAL_LOG__LEVEL: "error" } })).stderr).toBe("");
});

test("--open signs in with a private file, and gives away neither the link nor a setting", async () => {
  const opened = workshop.at("opened");
  const script = `#!/bin/sh\n(printf '%s\\n' "$@"; env) > ${opened}.part && mv ${opened}.part ${opened}\n`;
  await writeFile(workshop.at("xdg-open"), script, { mode: 0o755 });
  const env = {
    PATH: `${workshop.folder}:${process.env["PATH"] ?? ""}`,
    FISCAL_SERVER__METRICS_TOKEN: "secret-of-a-setting",
  };
  const { url, program, ended } = await serve(workshop, ["--open"], { env });
  await expect.poll(() => existsSync(opened)).toBe(true);
  const seen = await readFile(opened, "utf8");
  const file = seen.split("\n")[0]!;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const link = /action="([^"]+)"/.exec(await readFile(file, "utf8"))![1]!;
  expect(link.startsWith(`${url}/console/sign-in/`)).toBe(true);
  expect(seen).not.toContainAll(link, "secret-of-a-setting");
  // As a browser posts it from a file.
  const headers = { origin: "null", "sec-fetch-site": "cross-site" };
  const reply = await fetch(link, { method: "POST", headers, redirect: "manual" });
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/console"]);
  expect(reply.headers.get("set-cookie")).toContain("fiscal_console");
  program.interrupt();
  expect((await ended).stdout).not.toContain(link);
});

test("--open without a program that opens browsers says so and serves", async () => {
  const served = await serveWhile(["--open"], { env: { PATH: workshop.folder } }, async (url) =>
    expect((await fetch(`${url}/healthz`)).status).toBe(200),
  );
  expectSaid(served, 0, "The browser could not be started");
});

describe("on the network", () => {
  const original = os.networkInterfaces;
  const addresses = (find: typeof os.networkInterfaces) => {
    os.networkInterfaces = find;
    syncBuiltinESMExports();
  };
  const [address] = [{ address: "192.0.2.7", family: "IPv4", internal: false, mac: "02:00:00:00:00:01" }];
  beforeEach(() => addresses(() => ({ eth0: [address as os.NetworkInterfaceInfo] })));
  afterEach(() => addresses(original));

  async function serveOn(host: string, args: string[], options: RunOptions = {}) {
    const all = ["--host", host, "--port", String(await findFreePort()), ...args];
    return serveWhile(all, options, async (url) => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  }

  test("shows a terminal its addresses, and the first as a QR code with --qr", async () => {
    const plain = await serveOn("0.0.0.0", [], { terminal: true });
    expect(plain.stdout).toContain(`On the network: http://192.0.2.7:${new URL(plain.url).port}\n`);
    expect(plain.stdout).not.toMatch(/[▀▄█]/);
    expect((await serveOn("0.0.0.0", ["--qr"], { terminal: true })).stdout).toMatch(/[▀▄█]{10}/);
  });

  test("--qr on loopback says that no other machine reaches the server", async () => {
    const { stdout, stderr } = await serveOn("127.0.0.1", ["--qr"]);
    expect(stdout).not.toMatch(/[▀▄█]/);
    expect(stderr).toContain("--host 0.0.0.0");
  });

  test("looks addresses up only to print them, and serves where that is forbidden", async () => {
    const lookUp = vi.fn<() => never>(() => {
      throw Object.assign(new Error("uv_interface_addresses"), { code: "ERR_SYSTEM_ERROR" });
    });
    addresses(lookUp);
    await serveOn("0.0.0.0", []);
    expect(lookUp).not.toHaveBeenCalled();
    expect((await serveOn("0.0.0.0", [], { terminal: true })).stdout).not.toContain("On the network");
    expect(lookUp).toHaveBeenCalled();
  });

  test("ends and closes the port when the start fails after listening", async () => {
    addresses(() => {
      throw new Error("unexpected");
    });
    const port = await findFreePort();
    const run = await workshop.run(`serve --host 0.0.0.0 --port ${String(port)}`, { terminal: true });
    expectSaid(run, 1, /^fiscal: unexpected$/m);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow("fetch failed");
  });
});

describe("--https", () => {
  const certificateOf = (port: number) =>
    new Promise<X509Certificate>((resolve, reject) => {
      const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()!);
        socket.end("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      });
      socket.on("error", reject);
    });

  test("serves https with a certificate for this machine", async () => {
    const { exitCode, stdout } = await serveWhile(["--https"], { terminal: true }, async (url) => {
      expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
      const certificate = await certificateOf(Number(new URL(url).port));
      const names = [certificate.checkIP("127.0.0.1"), certificate.checkHost("localhost")];
      expect(names).not.toContain(undefined);
      expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/the browser warns[^]*^Console: https:/m);
  });

  test.each([
    [["--socket", "fiscal.sock"]],
    [["--tls-cert", "server.crt", "--tls-key", "server.key"]],
    [["--port", "6000"]],
  ])("is refused with %j, and nothing is left running", async (args) => {
    expectRefused(await workshop.run(["serve", "--https", ...args]), 78, "--https");
  });
});

test("shows a person at a terminal the address, the data directory and a sign-in link until it was used", async () => {
  /** Serves while `visit` runs, and returns the address of the console's line. */
  const serveOnce = async (visit?: (url: string) => Promise<void>) => {
    const { url, stdout, stderr } = await serveWhile([], { terminal: true }, visit);
    expect(stdout).toContain(`Data directory: ${workshop.at("data")}\n`);
    // The log is text here, and does not repeat the start.
    expect(stderr).not.toMatch(/[{}]|starting|listening/);
    expect(stderr).toContain("stopped");
    return { url, page: /^Console: (\S+) \(/m.exec(stdout)?.[1] };
  };
  expect(await serveOnce()).toMatchObject({
    page: expect.stringMatching(/\/console\/sign-in\/[\w-]{43}$/),
  });
  // Whoever uses an API key has signed in too.
  const { secret } = await workshop.read<{ secret: string }>("keys create --mode test --name me");
  await serveOnce((url) => signIn(url, secret));
  const { url, page } = await serveOnce();
  expect(page).toBe(`${url}/console`);
});

test("listens on the socket file of --socket, which --json names", async () => {
  const path = workshop.at("fiscal.sock");
  let program: RunningProgram | undefined;
  const run = await workshop.run("serve --socket fiscal.sock --json", {
    onOutput(text, running) {
      program = running;
      if (!text.includes("listening")) return;
      expect(statSync(path).isSocket()).toBe(true);
      running.interrupt("SIGTERM");
    },
  });
  expect(program).toBeDefined();
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.json()).toEqual({ url: `unix:${path}` });
});

test("prefers --port to the configured socket file", async () => {
  expect((await serveWhile([], { env: { FISCAL_SERVER__SOCKET: "fiscal.sock" } })).url).toMatch(/^http:/);
});

test.skipIf(!HAS_OPENSSL)("--tls-cert and --tls-key speak https, and SIGHUP reads them again", async () => {
  makePair(workshop.folder, "server");
  const { url, program, ended } = await serve(workshop, [
    "--tls-cert",
    "server.crt",
    "--tls-key",
    "server.key",
  ]);
  expect(url).toMatch(/^https:/);
  makePair(workshop.folder, "server");
  program.hangUp();
  program.interrupt();
  expectSaid(await ended, 0, "loaded the renewed certificate");
});
