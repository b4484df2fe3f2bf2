/** Builds a successful request for each operation of the API from its example and existing resources. */
import type { Operation } from "../../src/operations/operation.ts";
import { DOCUMENT_EXAMPLE } from "../../src/operations/examples/names.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { buildIssueBody } from "./appliance.ts";
import type { Server } from "./http.ts";
import type { Outgoing } from "./malformed-requests.ts";

/** The target of an operation: an id for the `{id}` in its path, and a body and query where the example is not enough. */
interface Scene {
  id?: string;
  body?: unknown;
  query?: string;
}

const ISSUE_DATE = "2026-11-02";

let count = 0;
const unique = () => `valid-${(count += 1)}`;

/** Creates what every operation needs. Runs the queue if a document must be issued or failed. */
export function createStage(server: Server) {
  const keyOf = (mode: Mode) => (mode === "live" ? server.liveKey : server.testKey);

  async function make(path: string, mode: Mode, body: unknown): Promise<{ id: string }> {
    const reply = await server.post(path, body, { key: keyOf(mode) });
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
    return reply.body.data as { id: string };
  }

  const merchant = (mode: Mode) =>
    make("/api/v1/merchants", mode, { external_id: unique(), name: "Παράδειγμα", tax_id: "123456783" }).then(
      ({ id }) => id,
    );

  const connect = (mode: Mode, merchantId: string) =>
    make(`/api/v1/merchants/${merchantId}/connections`, mode, {
      provider: "registry_direct",
      credentials: { user_id: "example", subscription_key: "0123456789abcdef" },
    }).then(({ id }) => id);

  /** That of the examples. In live mode documents need a connection, and test documents are never processed. */
  async function document(mode: Mode, scene: string): Promise<string> {
    const owner = await merchant(mode);
    if (mode === "live") await connect(mode, owner);
    const body = buildIssueBody(owner, {
      document: DOCUMENT_EXAMPLE,
      external_reference: unique(),
      ...(mode === "test" ? { metadata: { sandbox: scene } } : {}),
    });
    const { id } = await make("/api/v1/documents", mode, body);
    if (mode === "test") await server.settle();
    return id;
  }

  async function newest(path: string, mode: Mode): Promise<string> {
    const { body } = await server.get(`/api/v1${path}?limit=1`, { key: keyOf(mode) });
    const id: unknown = body.data[0]?.id;
    if (typeof id !== "string") throw new Error(`GET ${path} has nothing to name`);
    return id;
  }

  const endpoint = (mode: Mode) =>
    make("/api/v1/webhook_endpoints", mode, {
      url: `https://receiver.example/${unique()}`,
      enabled_events: ["*"],
    }).then(({ id }) => id);

  /** Creates a resource for the `{id}` after each first path segment. */
  const things: Readonly<Record<string, (mode: Mode) => Promise<string>>> = {
    merchants: merchant,
    documents: (mode) => document(mode, "issued"),
    connections: async (mode) => connect(mode, await merchant(mode)),
    connect_sessions: async (mode) =>
      (await make(`/api/v1/merchants/${await merchant(mode)}/connect_sessions`, mode, {})).id,
    events: async (mode) => {
      await merchant(mode);
      return newest("/events", mode);
    },
    requests: async (mode) => {
      await merchant(mode);
      return newest("/requests", mode);
    },
    provider_calls: async (mode) => {
      await connect(mode, await merchant(mode));
      return newest("/provider_calls", mode);
    },
    webhook_endpoints: endpoint,
  };

  /** Operations that need more than their example and any resource of the right kind. */
  const scenes: Readonly<Record<string, (mode: Mode) => Promise<Scene>>> = {
    issueDocument: async (mode) => {
      const owner = await merchant(mode);
      if (mode === "live") await connect(mode, owner);
      return { body: buildIssueBody(owner, { external_reference: unique(), metadata: { order: "1" } }) };
    },
    createMerchant: async () => ({
      body: {
        external_id: unique(),
        name: "Παράδειγμα",
        tax_id: "094 012-834",
        branch: 1,
        metadata: { plan: "standard" },
      },
    }),
    retryDocument: async (mode) => ({ id: await document(mode, "unavailable") }),
    lookupTaxId: async () => ({ query: "country=GR&code=123456783" }),
    updateWebhookEndpoint: async (mode) => ({
      id: await endpoint(mode),
      body: { description: "other", status: "disabled" },
    }),
    replayWebhookEvents: async (mode) => ({
      id: await endpoint(mode),
      body: { created: { gte: `${ISSUE_DATE}T00:00:00Z`, lte: "2027-01-01T00:00:00Z" } },
    }),
    resendEvent: async (mode) => {
      await endpoint(mode);
      return { id: await things["events"]!(mode), body: {} };
    },
  };

  async function sceneOf(operation: Operation, mode: Mode): Promise<Scene> {
    const scene = (await scenes[operation.id]?.(mode)) ?? {};
    const first = operation.path.split("/")[1]!;
    if (!operation.path.includes("{id}") || scene.id !== undefined) return scene;
    const thing = things[first];
    if (thing === undefined)
      throw new Error(`${operation.id}: nothing is known that could stand for the id of ${operation.path}`);
    return { ...scene, id: await thing(mode) };
  }

  return {
    /** A valid request for `operation` with a key of `mode`. Throws the operation's name if none is known. */
    async prepare(operation: Operation, mode: Mode): Promise<Outgoing> {
      const { id = "", query, body = operation.example } = await sceneOf(operation, mode);
      if (operation.body !== undefined && body === undefined)
        throw new Error(`${operation.id}: it has a body, and neither an example nor one of these tests`);
      const path = `/api/v1${operation.path.replaceAll(/\{\w+\}/g, id)}${query === undefined ? "" : `?${query}`}`;
      const headers: Record<string, string> = { authorization: `Bearer ${keyOf(mode)}` };
      if (operation.idempotency !== "none") headers["idempotency-key"] = unique();
      if (operation.body === undefined) return { method: operation.method, path, headers, body: null };
      headers["content-type"] = "application/json";
      return { method: operation.method, path, headers, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

export type Stage = ReturnType<typeof createStage>;
