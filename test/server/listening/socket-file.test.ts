/** Listening on a socket file instead of a port. */
import { once } from "node:events";
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clearSocketPath } from "../../../server/listening/listen-address.ts";
import { closeOf, openServingPlace, plainRequest } from "../../helpers/serving.ts";
import { forEachTest } from "../../helpers/set-up.ts";

let path: string;
const others: Server[] = [];
const place = forEachTest(openServingPlace);
beforeEach(async () => {
  path = join(place.folder, "fiscal.sock");
});
afterEach(async () => {
  for (const other of others.splice(0)) other.close();
});

const at = (socket: string, more: Record<string, string> = {}) => ({
  FISCAL_SERVER__SOCKET: socket,
  ...more,
});

function leaveDead(): void {
  const dying = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", dying]);
}

describe.skipIf(process.platform === "win32")("a socket file", () => {
  test("replaces the port, for owner and group, and is deleted at the end", async () => {
    const { url, server } = await place.start(at(path));
    expect(url).toBe(`unix:${path}`);
    expect(lstatSync(path).mode & 0o777).toBe(0o660);
    expect(await place.ask(path, plainRequest("/readyz"))).toContain(" 200 ");
    await server.stop();
    expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  test("has the permissions of socket_mode", async () => {
    await place.start(at(path, { FISCAL_SERVER__SOCKET_MODE: "0600" }));
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  test("of a server that died is replaced by one of two that start at once", async () => {
    leaveDead();
    const other = createServer();
    others.push(other);
    const first = clearSocketPath(path).then(() => other.listen(path));
    const second = clearSocketPath(path);
    await first;
    await expect(second).rejects.toThrow("another server listens there");
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  test("of a running server is left alone", async () => {
    await place.start(at(path));
    expect(await place.refusal(at(path))).toMatch(/another server listens there; correct --socket/);
    expect(await place.ask(path, plainRequest("/healthz"))).toContain(" 200 ");
  });

  test("of a running but unresponsive server is left alone", async () => {
    const silent = createServer(() => undefined).listen(path);
    others.push(silent);
    await once(silent, "listening");
    expect(await place.refusal(at(path))).toContain("another server listens there");
  });

  test("never replaces another kind of file", async () => {
    writeFileSync(path, "an invoice");
    expect(await place.refusal(at(path))).toContain("is not a socket");
    expect(readFileSync(path, "utf8")).toBe("an invoice");
    mkdirSync(join(place.folder, "folder"));
    expect(await place.refusal(at(join(place.folder, "folder")))).toContain("is not a socket");
  });

  test("needs its folder, and a path short enough for the system", async () => {
    expect(await place.refusal(at(join(place.folder, "none", "fiscal.sock")))).toContain(
      "its folder does not exist",
    );
    const long = join(place.folder, "ώ".repeat(60));
    expect(await place.refusal(at(long))).toMatch(
      /server\.socket is \d+ bytes long and the system takes 10[37]/,
    );
  });

  test("cannot be combined with TLS", async () => {
    const tls = { FISCAL_SERVER__TLS_CERT_FILE: "a.crt", FISCAL_SERVER__TLS_KEY_FILE: "a.key" };
    expect(await place.refusal(at(path, tls))).toContain("a socket file takes plain HTTP");
  });

  test("aborts open requests after shutdown_seconds", async () => {
    const { server } = await place.start(at(path, { FISCAL_SERVER__SHUTDOWN_SECONDS: "0" }));
    const socket = await place.open(path);
    const closed = closeOf(socket);
    socket.write("GET /healthz HTTP/1.1\r\nHost: he");
    await server.stop();
    await closed;
  });
});

const limited = { FISCAL_RATE_LIMIT__FAILED_AUTH: "1" };
const from = async (forwarded: string) =>
  (
    await place.ask(
      path,
      plainRequest("/api/v1/documents", ["Authorization: Bearer wrong", `X-Forwarded-For: ${forwarded}`]),
    )
  ).slice(9, 12);

test.skipIf(process.platform === "win32")(
  'the client is the one named by the proxy if "unix" is trusted',
  async () => {
    await place.start(at(path, { ...limited, FISCAL_SERVER__TRUSTED_PROXIES: "unix" }));
    expect([await from("192.0.2.1"), await from("192.0.2.2"), await from("192.0.2.1")]).toEqual([
      "401",
      "401",
      "429",
    ]);
  },
);
