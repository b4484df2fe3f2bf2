/** Opens the server that a section's tests use. Every response is checked against the API's description. */
import { expect } from "vitest";
import { REGISTRY_DIRECT } from "../../../src/providers/registry-direct/description.ts";
import { PROVIDER_A } from "../../../src/providers/provider-a/description.ts";
import { type BenchOptions, NO_RETRIES } from "../../helpers/appliance.ts";
import { CONNECT } from "../../helpers/connecting.ts";
import { openServer, type Reply, type Sent } from "../../helpers/http.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { createPlayedProvider } from "./played-provider.ts";

export { CONNECT };
export const DOCUMENTS = "/api/v1/documents";
export const MERCHANTS = "/api/v1/merchants";
export const EVENTS = "/api/v1/events";
export const CALLS = "/api/v1/provider_calls";
export const REQUESTS = "/api/v1/requests";

/** These tests' clock is stopped until a test advances it. */
export const NOW = "2026-11-21T09:00:00.000Z";
/** docs/contract.md#timestamps-and-dates: ISO 8601 in UTC ending in Z. */
export const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** docs/contract.md#identifiers: the prefix and 22 characters from 0-9 A-Z a-z. */
export function idForm(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
}

/** A well-formed id that does not exist. */
export function noId(prefix: string): string {
  return `${prefix}_${"0".repeat(22)}`;
}

/** What the provider refuses, and what it does not answer. */
export const REFUSED = {
  ...CONNECT,
  credentials: { user_id: "refused-user", subscription_key: "secret-key" },
};
export const AWAY = { ...CONNECT, credentials: { user_id: "away", subscription_key: "k" } };
export const BY_EMAIL = { provider: "provider_a", credentials: { api_key: "k", email: "shop@example.com" } };

let merchants = 0;

export async function openSpecServer({ env, ...options }: BenchOptions = {}) {
  const registry = createPlayedProvider("registry_direct", REGISTRY_DIRECT.credentials);
  const providerA = createPlayedProvider("provider_a", PROVIDER_A.credentials);
  const server = await openServer({
    adapters: [registry.adapter, providerA.adapter],
    // The clock is stopped, so the rate limit's window never ends. What cannot be sent fails at once.
    env: { FISCAL_RATE_LIMIT__REQUESTS: "1000000", ...NO_RETRIES, ...env },
    ...options,
  });
  /** Writes everything deferred to the next commit: request log entries and cached responses. */
  const flush = () => server.appliance.store.flush();
  return {
    ...server,
    flush,
    /** The current request log. */
    async readLog(query: string, sent?: Sent): Promise<Json> {
      await flush();
      return server.read(`${REQUESTS}?${query}`, sent);
    },
    /** From now on sends and verifications of registry_direct wait. */
    block: registry.block,
    /** Issues with `metadata`, runs the queue, and returns the document's current state. */
    finished: (metadata: Record<string, string> = {}, extra: object = {}): Promise<Json> =>
      server.issued({ metadata, ...extra }),
    /** Creates a merchant without a tax number, and returns its id. */
    async addMerchant(extra: object = {}): Promise<string> {
      merchants += 1;
      const body = { external_id: `spec-${merchants}`, name: "Spec", ...extra };
      return (await server.post(MERCHANTS, body)).body.data.id;
    },
    /** Connects a merchant, by default the server's, and returns the connection. */
    async connect(merchant = server.merchant, sent: Sent = {}, connection: object = CONNECT): Promise<Json> {
      const { status, body } = await server.post(`${MERCHANTS}/${merchant}/connections`, connection, sent);
      expect(status).toBe(201);
      return body.data;
    },
  };
}

/** One server for a file's tests. */
export function useServer(options: BenchOptions = {}) {
  return forAllTests(() => openSpecServer(options));
}

/** The JSON of any response. */
export type Json = Reply["body"];

/** Expects 400 with a problem at `path`, and returns the paths of all problems. */
export function expectProblem({ status, body }: Reply, path: string): string[] {
  expect([status, body.code]).toEqual([400, "validation_failed"]);
  const paths = body.message.split("; ").map((problem: string) => problem.slice(0, problem.indexOf(": ")));
  expect(paths).toContain(path);
  return paths;
}
