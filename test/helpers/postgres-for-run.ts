/**
 * Starts PostgreSQL once for a run of the tests, when the first test asks for it, and stops it at the end. Tests ask over a port
 * of this machine (`askForPostgres`).
 */
import { type AddressInfo, createServer } from "node:net";
import type { TestProject } from "vitest/node";
import { startPostgres, type TestPostgres } from "./postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<TestPostgres | undefined> | undefined;
  const find = async () =>
    process.env["FISCAL_TEST_POSTGRES_URL"] ?? (await (started ??= startPostgres()))?.url;
  const server = createServer((socket) => {
    find().then(
      (url) => socket.end(url ?? ""),
      (error: Error) => socket.destroy(error),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  project.provide("postgresPort", (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    await (await started)?.stop();
  };
}
