/** TLS: versions, start-up errors, and certificates renewed while the server runs. */
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import { describe, expect, test } from "vitest";
import { HAS_OPENSSL, makePair, type Pair } from "../../helpers/certificates.ts";
import { closeOf, openServingPlace, plainRequest, readToClose } from "../../helpers/serving.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

const settings = ({ certFile, keyFile }: Pair, more: Record<string, string> = {}) => ({
  FISCAL_SERVER__TLS_CERT_FILE: certFile,
  FISCAL_SERVER__TLS_KEY_FILE: keyFile,
  ...more,
});

/** A connection after its handshake. */
function secure(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", servername: "localhost", ...options }, () =>
      resolve(socket),
    );
    socket.once("error", reject);
  });
}

/** The status of a request over a new, verified connection. */
function statusOf(url: string, ca: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/readyz`, { ca, agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject).end();
  });
}

async function serialAt(port: number): Promise<string> {
  const socket = await secure(port, { rejectUnauthorized: false });
  const serial = socket.getPeerCertificate().serialNumber;
  socket.destroy();
  return serial;
}

describe.skipIf(!HAS_OPENSSL)("a server with a certificate", () => {
  test("serves https to clients that trust it, also in its address and links", async () => {
    const pair = makePair(place.folder, "own");
    const { url, bench } = await place.start(settings(pair));
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(bench.appliance.publicUrl()).toBe(url);
    expect(await statusOf(url, pair.ca)).toBe(200);
    expect(bench.logged.filter((line) => line.startsWith("warn"))).toEqual([]);
  });

  test("sets Secure cookies", async () => {
    const pair = makePair(place.folder, "own");
    const { port } = await place.start(settings(pair));
    const socket = await secure(port, { ca: pair.ca });
    const ended = readToClose(socket);
    socket.write(plainRequest("/console/sign-in"));
    expect(await ended).toMatch(/^set-cookie: fiscal_console_visitor=.*; Secure;/im);
  });

  test("accepts TLS 1.2 and 1.3, and nothing older", async () => {
    const pair = makePair(place.folder, "own");
    const { port } = await place.start(settings(pair));
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = await secure(port, { ca: pair.ca, minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    // The client's own library also refuses old versions unless its level is lowered.
    const old = secure(port, {
      ca: pair.ca,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    });
    await expect(old).rejects.toThrow(/protocol version/);
  });

  test("closes a plain HTTP connection and continues", async () => {
    const pair = makePair(place.folder, "own");
    const { port, url } = await place.start(settings(pair));
    expect(await place.ask(port, plainRequest("/healthz"))).not.toContain("200");
    expect(await statusOf(url, pair.ca)).toBe(200);
  });

  test("opens an encrypted key with its passphrase", async () => {
    const pair = makePair(place.folder, "own", { passphrase: "open sesame" });
    const passphraseFile = join(place.folder, "passphrase");
    writeFileSync(passphraseFile, "open sesame\n");
    const { url } = await place.start(
      settings(pair, { FISCAL_SERVER__TLS_KEY_PASSPHRASE_FILE: passphraseFile }),
    );
    expect(await statusOf(url, pair.ca)).toBe(200);
  });

  test("starts with an expired certificate, with a warning", async () => {
    const { bench } = await place.start(settings(makePair(place.folder, "old", { days: -1 })));
    expect(bench.logged).toEqual([expect.stringMatching(/^warn: the certificate has expired/)]);
  });

  test("stops within shutdown_seconds despite open handshakes and requests", async () => {
    const pair = makePair(place.folder, "own");
    const { port, server } = await place.start(settings(pair, { FISCAL_SERVER__SHUTDOWN_SECONDS: "0" }));
    const [handshake, idle, slow] = [
      await place.open(port),
      await secure(port, { ca: pair.ca }),
      await secure(port, { ca: pair.ca }),
    ];
    slow.write(
      "POST /connect/x HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-www-form-urlencoded\r\n",
    );
    const answered = new Promise((resolve) => slow.once("data", resolve));
    slow.write("Expect: 100-continue\r\nContent-Length: 10\r\n\r\n");
    await answered;
    for (const socket of [idle, slow]) socket.on("error", () => undefined);
    const closed = Promise.all([handshake, idle, slow].map(closeOf));
    await server.stop();
    await closed;
  });
});

describe.skipIf(!HAS_OPENSSL)("a certificate that is renewed on disk", () => {
  const quickly = { FISCAL_SERVER__TLS_CHECK_SECONDS: "1" };

  function renew({ certFile, keyFile }: Pair, by: Pair): void {
    for (const [from, to] of [
      [by.certFile, certFile],
      [by.keyFile, keyFile],
    ] as const) {
      copyFileSync(from, `${to}.new`);
      renameSync(`${to}.new`, to);
    }
  }

  test("is loaded automatically, and existing connections continue", async () => {
    const pair = makePair(place.folder, "own");
    const { port, bench } = await place.start(settings(pair, quickly));
    const before = await secure(port, { ca: pair.ca });
    const serial = await serialAt(port);
    renew(pair, makePair(place.folder, "next"));
    await expect.poll(() => serialAt(port)).not.toBe(serial);
    before.write(plainRequest("/healthz"));
    expect(await readToClose(before)).toContain(" 200 ");
    expect(bench.logged).toEqual([expect.stringContaining("loaded the renewed certificate")]);
  });

  test("is loaded immediately on reload", async () => {
    const pair = makePair(place.folder, "own");
    const { port, server, bench } = await place.start(settings(pair));
    const serial = await serialAt(port);
    server.reload();
    expect(bench.logged.pop()).toContain("has not changed");
    renew(pair, makePair(place.folder, "next"));
    server.reload();
    expect(await serialAt(port)).not.toBe(serial);
  });

  test("is not loaded while it is broken: the previous one stays in use, with one warning", async () => {
    const pair = makePair(place.folder, "own");
    const next = makePair(place.folder, "next");
    const { port, bench } = await place.start(settings(pair, quickly));
    const serial = await serialAt(port);
    const warnings = () => bench.logged.filter((line) => line.startsWith("warn"));
    copyFileSync(next.certFile, pair.certFile);
    await expect.poll(warnings).toHaveLength(1);
    expect(warnings()[0]).toContain("does not belong to the certificate");
    expect(await serialAt(port)).toBe(serial);
    copyFileSync(next.keyFile, pair.keyFile);
    await expect.poll(() => serialAt(port)).not.toBe(serial);
    expect(warnings()).toHaveLength(1);
  });
});

describe.skipIf(!HAS_OPENSSL)("start-up fails and names the setting:", () => {
  const TOGETHER = /tls_cert_file and server\.tls_key_file belong together/;
  const OTHERS_KEY = /tls_key_file does not belong to the certificate/;
  const NO_CERTIFICATE = /tls_cert_file holds no certificate in PEM/;
  const without = { certFile: "", keyFile: "" };
  const other = (options = {}) => makePair(place.folder, "other", options);
  const locked = () => other({ passphrase: "open sesame" });
  const withPassphrase = (FISCAL_SERVER__TLS_KEY_PASSPHRASE_FILE: string) => ({
    FISCAL_SERVER__TLS_KEY_PASSPHRASE_FILE,
  });
  const rewrite = (pair: Pair, certificate: string | Buffer) => {
    writeFileSync(pair.certFile, certificate);
    return pair;
  };
  const cutOff = (pair: Pair) => {
    const text = readFileSync(pair.certFile, "latin1").split("\n");
    return [text[0], text[1], text.at(-2), ""].join("\n");
  };

  test.each<[what: string, change: (pair: Pair) => Partial<Pair>, message: RegExp, passphrase?: string]>([
    ["a key alone", () => ({ certFile: "" }), TOGETHER],
    ["a certificate alone", () => ({ keyFile: "" }), TOGETHER],
    ["a passphrase alone", () => without, TOGETHER, "x"],
    ["no file", () => ({ certFile: "none.crt" }), /tls_cert_file cannot be read \(ENOENT\)/],
    ["a key of another certificate", () => ({ keyFile: other().keyFile }), OTHERS_KEY],
    ["a chain in the wrong order", (pair) => rewrite(pair, Buffer.concat([other().ca, pair.ca])), OTHERS_KEY],
    [
      "certificate and key the wrong way round",
      ({ certFile, keyFile }) => ({ certFile: keyFile, keyFile: certFile }),
      NO_CERTIFICATE,
    ],
    ["a certificate that is cut off", (pair) => rewrite(pair, cutOff(pair)), NO_CERTIFICATE],
    [
      "an encrypted key alone",
      locked,
      /tls_key_file holds no private key in PEM.*name the file of its passphrase/,
    ],
    [
      "a wrong passphrase",
      locked,
      /tls_key_file holds no private key in PEM that can be opened/,
      "swordfish",
    ],
  ])("%s", async (_what, change, message, passphrase) => {
    const pair = makePair(place.folder, "own");
    const file = join(place.folder, "passphrase");
    if (passphrase !== undefined) writeFileSync(file, passphrase);
    const env = settings({ ...pair, ...change(pair) }, passphrase === undefined ? {} : withPassphrase(file));
    const refusal = await place.refusal(env);
    expect(refusal).toMatch(message);
    expect(refusal).not.toMatch(/swordfish|sesame|-----.*KEY/);
  });
});
