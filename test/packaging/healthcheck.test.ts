/** Tests the image's health check as the image runs it: as a process with the server's settings in its environment. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { HAS_OPENSSL } from "../helpers/certificates.ts";
import { makeFolder } from "../helpers/folder.ts";
import { runBuilt, startBuilt } from "../helpers/server-process.ts";

const CHECK = resolve(import.meta.dirname, "../../packaging/docker/healthcheck.cjs");

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function check(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [CHECK, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout };
}

/** The port of an address, if it has one. */
async function listenOn(server: Server, where: { path: string } | { port: number; host: string }) {
  servers.push(server.listen(where));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Creates a key and a certificate for a name other than the loopback's. */
async function makeCertificate(): Promise<[Buffer, Buffer]> {
  const place = makeFolder();
  const [key, cert] = [join(place, "key.pem"), join(place, "cert.pem")];
  const form = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const args = ["req", "-x509", ...form, "-subj", "/CN=fiscal.example", "-keyout", key, "-out", cert];
  await promisify(execFile)("openssl", args);
  return [readFileSync(key), readFileSync(cert)];
}

const LOOPBACK = { port: 0, host: "127.0.0.1" };
const ready: RequestListener = (request, response) => {
  response.statusCode = request.url === "/readyz" ? 200 : 404;
  response.end('{"status":"ready"}');
};

describe("the health check", () => {
  test("succeeds while the server is ready, and fails once it is gone", async () => {
    const environment = { folder: makeFolder() };
    expect(await runBuilt(["init", "--yes"], environment)).toMatchObject({ code: 0 });
    const server = await startBuilt(environment);
    const env = { FISCAL_SERVER__HOST: "0.0.0.0", FISCAL_SERVER__PORT: new URL(server.url).port };
    expect(await check(env)).toMatchObject({ code: 0, stdout: expect.stringContaining('"ready"') });
    await server.kill();
    expect(await check(env)).toMatchObject({ code: 1, stdout: expect.stringContaining("ECONNREFUSED") });
  });

  test("fails while the server is not ready", async () => {
    const waiting = createServer((_request, response) => {
      response.statusCode = 503;
      response.end('{"status":"not ready"}');
    });
    const port = await listenOn(waiting, LOOPBACK);
    expect(await check({ FISCAL_SERVER__PORT: String(port) })).toEqual({
      code: 1,
      stdout: '{"status":"not ready"}\n',
    });
  });

  test.skipIf(process.platform === "win32")("uses a Unix socket if the server listens on one", async () => {
    const path = join(makeFolder(), "fiscal.sock");
    await listenOn(createServer(ready), { path });
    expect(await check({ FISCAL_SERVER__SOCKET: path })).toMatchObject({ code: 0 });
    expect(await check({}, path)).toMatchObject({ code: 0 });
  });

  test("prefers the address in its argument to the settings", async () => {
    const port = await listenOn(createServer(ready), LOOPBACK);
    expect(await check({ FISCAL_SERVER__PORT: "1" }, `http://127.0.0.1:${port}`)).toMatchObject({ code: 0 });
  });

  test.skipIf(!HAS_OPENSSL)("uses TLS if the server has a certificate, regardless of its name", async () => {
    const [key, cert] = await makeCertificate();
    const port = await listenOn(createTlsServer({ key, cert }, ready), LOOPBACK);
    const env = { FISCAL_SERVER__PORT: String(port), FISCAL_SERVER__TLS_CERT_FILE: "/run/secrets/cert.pem" };
    expect(await check(env)).toMatchObject({ code: 0, stdout: expect.stringContaining("ready") });
    expect(await check({}, `https://127.0.0.1:${port}`)).toMatchObject({ code: 0 });
  });
});
