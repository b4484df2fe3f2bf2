/** Tests that compose.yaml can be read, and that what it names exists. No container is started. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../src/config/config.ts";
import { usesPostgres } from "../../src/config/addresses.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");

interface Service {
  image: string;
  build?: string;
  profiles?: string[];
  ports?: string[];
  environment: Record<string, string>;
  secrets: { source: string; target: string }[];
  volumes: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt: string[];
}

const compose = parse(read("compose.yaml"), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const servers = services.filter(([, { image }]) => image.startsWith("fiscal:"));
const docs = read("docs/docker.md");

describe("compose.yaml", () => {
  test.each(servers)("restricts the container of %s as far as possible", (_name, server) => {
    expect(server).toMatchObject({ build: ".", read_only: true, cap_drop: ["ALL"] });
    expect(server.security_opt).toContain("no-new-privileges:true");
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(server.image).toBe(`fiscal:${version}`);
  });

  test("publishes each server on a port of the loopback address of its own", () => {
    const ports = servers.flatMap(([, server]) => server.ports!);
    expect(ports).toEqual(["127.0.0.1:8787:8787", "127.0.0.1:8788:8787", "127.0.0.1:8789:8787"]);
  });

  test("starts one server on a file, and with the profile two on one database", () => {
    const withoutProfile = services.filter(([, { profiles }]) => profiles === undefined);
    expect(withoutProfile.map(([name]) => name)).toEqual(["fiscal"]);
    for (const name of ["fiscal-1", "fiscal-2"])
      expect(compose.services[name]).toMatchObject({
        profiles: ["postgres"],
        depends_on: { postgres: { condition: "service_healthy" } },
      });
    expect(compose.services["postgres"]!.profiles).toEqual(["postgres"]);
    expect(docs).toContain("docker compose --profile postgres up -d fiscal-1 fiscal-2\n");
  });

  test.each(servers)("gives %s settings that exist, and its own volume", (name, { environment, volumes }) => {
    const { storage, security } = loadConfig({ env: { HOME: "/data", ...environment }, cwd: "/", flags: {} });
    expect(security.masterKeyFile).toBe("/run/secrets/master_key");
    expect(usesPostgres(storage)).toBe(name !== "fiscal");
    expect(volumes).toEqual([`${name.replace("fiscal", "data")}:/data`]);
  });

  test("defines every secret and volume that a service uses, and the pages say how to make each secret", () => {
    for (const [, { environment, secrets, volumes }] of services) {
      for (const { source, target } of secrets) {
        expect(Object.values(environment)).toContain(`/run/secrets/${target}`);
        const file = compose.secrets[source]!.file.replace("./", "");
        expect(docs).toContain(`> ${file}\n`);
      }
      for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(":")[0]!);
    }
  });

  test("checks the health of the database over TCP, which works only once it is set up", () => {
    const { healthcheck, environment } = compose.services["postgres"]!;
    expect(healthcheck!.test).toContain("--host=127.0.0.1");
    expect(healthcheck!.test).toContain(`--username=${environment["POSTGRES_USER"]}`);
  });
});
