/** A PostgreSQL server of its own that accepts only TLS, with passwords. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_OPENSSL, makePair } from "../helpers/certificates.ts";
import { askForPostgres, openPostgresIn } from "../helpers/engines.ts";
import { findFreePort } from "../helpers/serving.ts";
import { giveToPostgres, startPostgres, type TestPostgres, withClient } from "../helpers/postgres.ts";

const PASSWORD = "p@ss/word: 'καφές'";

/** A server chosen with FISCAL_TEST_POSTGRES_URL is not ours to configure. */
const canStart = (await askForPostgres())?.includes("@socket") === true;

describe.skipIf(!HAS_OPENSSL || !canStart)("a server that accepts only TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-tls-"));
  let port: number;
  let postgres: TestPostgres;
  let trusted: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const { certFile, keyFile } = makePair(folder, "server");
    trusted = certFile;
    makePair(folder, "other");
    const rules = join(folder, "rules");
    writeFileSync(rules, "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n");
    for (const file of [keyFile, rules]) giveToPostgres(file);
    port = await findFreePort();
    const settings = ["listen_addresses=127.0.0.1", "ssl=on", `ssl_cert_file=${certFile}`];
    settings.push(`ssl_key_file=${keyFile}`, `hba_file=${rules}`);
    postgres = (await startPostgres(
      settings.flatMap((setting) => ["-c", setting]),
      port,
    ))!;
    await withClient(postgres.url, async (client) => {
      const password = client.escapeLiteral(PASSWORD);
      await client.query(`create role fiscal login password ${password}`);
      await client.query("create database fiscal owner fiscal encoding 'UTF8' template template0");
    });
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  function open({ host = "127.0.0.1", password = PASSWORD, ...parameters }: Record<string, string>) {
    const url = new URL(`postgres://fiscal@${host}:${port}/fiscal`);
    url.password = encodeURIComponent(password);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return openPostgresIn(folder, { url: url.href, masterKey: new Uint8Array(32) });
  }

  test.each(["127.0.0.1", "localhost"])(
    "is used with its certificate and a password, as %s",
    async (host) => {
      const store = await open({ host, sslmode: "verify-full", sslrootcert: trusted });
      expect(await store.write(async (trx) => trx.newId("doc"))).toMatch(/^doc_/);
      await store.close();
    },
  );

  const verified = { sslmode: "verify-full" };
  test.each<[string, Record<string, string>, string]>([
    ["a certificate that nobody vouches for", verified, "SELF_SIGNED"],
    ["another root certificate", { ...verified, sslrootcert: join(folder, "other.crt") }, "SELF_SIGNED"],
    ["a connection without TLS", { sslmode: "disable" }, "no encryption"],
    [
      "a wrong password",
      { ...verified, sslrootcert: join(folder, "server.crt"), password: "wrong" },
      'password authentication failed for user "fiscal"',
    ],
  ])("refuses %s without showing the password", async (_title, address, reason) => {
    const failure = (await open(address).catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain(reason);
    expect(failure.message).not.toContain(PASSWORD);
    expect(failure.message).not.toContain("wrong");
  });
});
