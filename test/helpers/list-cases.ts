/** Every list of the API, as a test case for paging through it: ways of adding to it, and a model of its items in order. */
import { buildIssueBody } from "./appliance.ts";
import { CONNECT, type ConnectingServer } from "./connecting.ts";

const documents: Make = async (server) => {
  const other = (await merchant(server)).id;
  const model: Item[] = [];
  const retail = { ...(buildIssueBody("")["document"] as object), type: "11.1", customer: undefined };
  return {
    path: "/documents",
    model,
    choices: 3,
    async add(choice) {
      const extra =
        choice === 2 ? { document: retail } : { external_reference: choice === 1 ? "same" : unique() };
      model.push(
        await create(
          server,
          "/api/v1/documents",
          buildIssueBody(choice === 1 ? other : server.merchant, extra),
        ),
      );
    },
    filters: () => [
      ALL,
      { query: `merchant=${other}`, has: (item) => item["merchant"] === other },
      { query: "type=11.1", has: ({ type }) => type === "11.1" },
      {
        query: "external_reference=same&status=pending",
        has: (item) => item["external_reference"] === "same",
      },
      {
        query: `provider=sandbox&merchant=${server.merchant}`,
        has: (item) => item["merchant"] === server.merchant,
      },
      { query: "status=issued", has: () => false },
      { query: "issue_date[gte]=2026-11-02&issue_date[lte]=2026-11-02", has: () => true },
      ...createdFilters(model),
    ],
  };
};

const merchants: Make = async (server) => {
  const model = [(await server.get(`/api/v1/merchants/${server.merchant}`)).body.data as Item];
  return {
    path: "/merchants",
    model,
    choices: 3,
    async add(choice) {
      const item = await merchant(server, choice === 1 ? { tax_id: "094012834" } : {});
      if (choice === 2) await server.request("POST", `/api/v1/merchants/${item.id}/archive`);
      model.push({ ...item, archived: choice === 2 });
    },
    filters: () => [
      ALL,
      { query: "tax_id=094.012.834", has: (item) => item["tax_id"] === "094012834" },
      { query: "archived=true", has: ({ archived }) => archived === true },
      { query: "archived=false", has: ({ archived }) => archived === false },
      { query: "external_id=SHOP", has: (item) => item["external_id"] === "shop" },
    ],
  };
};

/** A merchant's connection is disconnected before the next is created, because only one may exist at a time. */
const connections: Make = async (server) => {
  const other = (await merchant(server)).id;
  const model: Item[] = [];
  return {
    path: `/merchants/${server.merchant}/connections`,
    model,
    choices: 3,
    async add(choice) {
      const owner = choice === 2 ? other : server.merchant;
      const item = await create(server, `/api/v1/merchants/${owner}/connections`, CONNECT);
      await server.request("POST", `/api/v1/connections/${item.id}/disconnect`);
      if (owner === server.merchant) model.push(item);
    },
    filters: () => [ALL],
  };
};

/** Some are disabled, some belong to the other mode. */
const webhookEndpoints: Make = async (server) => {
  const model: Item[] = [];
  const path = "/api/v1/webhook_endpoints";
  return {
    path: "/webhook_endpoints",
    model,
    choices: 3,
    async add(choice) {
      const hook = { url: "https://shop.example/webhooks", enabled_events: ["*"], description: unique() };
      if (choice === 2) return void (await server.post(path, hook, { key: server.liveKey }));
      const { id } = await create(server, path, hook);
      const status = choice === 1 ? "disabled" : "enabled";
      const { body } = await server.request("PATCH", `${path}/${id}`, { body: { status } });
      model.push(body.data);
    },
    filters: () => [ALL, { query: "status=disabled", has: ({ status }) => status === "disabled" }],
  };
};

/** Of one of two endpoints. It is disabled, so held deliveries stay held. */
const webhookDeliveries: Make = async (server) => {
  const model: Item[] = [];
  const path = "/api/v1/webhook_endpoints";
  const hook = { url: "https://shop.example/webhooks", enabled_events: ["merchant.created"] };
  const endpoint = await create(server, path, hook);
  await create(server, path, hook);
  await server.request("PATCH", `${path}/${endpoint.id}`, { body: { status: "disabled" } });
  return {
    path: `/webhook_endpoints/${endpoint.id}/deliveries`,
    model,
    choices: 2,
    async add(choice) {
      // Of a type to which it is not subscribed.
      if (choice === 1)
        return void (await create(server, "/api/v1/documents", buildIssueBody(server.merchant)));
      await merchant(server);
      const [row] = await server.appliance.store.read.query((db) =>
        db
          .selectFrom("deliveries")
          .selectAll()
          .where("endpoint_id", "=", endpoint.id)
          .orderBy("id", "desc")
          .limit(1),
      );
      if (row === undefined) throw new Error("There is no delivery");
      model.push({ ...row, created: row.created_at });
    },
    filters: () => [
      ALL,
      { query: "status=held", has: () => true },
      { query: "status=failed", has: () => false },
    ],
  };
};

/** What is known of an item without listing it. */
export type Item = { id: string; created: string } & Record<string, unknown>;

export interface Filter {
  query: string;
  has(item: Item): boolean;
}

export interface ListCase {
  path: string;
  /** Oldest first. */
  model: Item[];
  /** Adds to the list, and perhaps to others; `choice` is at least 0 and less than `choices`. */
  add(choice: number): Promise<void>;
  choices: number;
  /** Filters for the list's current items. */
  filters(): Filter[];
  /** For lists that record their own reading: adds those records to the model. */
  noteRead?: (requestId: string) => Promise<void>;
}

/** Creates a case on a new server. */
type Make = (server: ConnectingServer) => Promise<ListCase>;

/** No filter. */
const ALL: Filter = { query: "", has: () => true };

/** Between two instants in the middle of the list. */
function createdFilters(model: readonly Item[]): Filter[] {
  const middle = model[Math.floor(model.length / 2)]?.created ?? "2026-11-21T00:00:00.000Z";
  return [
    { query: `created[gte]=${middle}`, has: ({ created }) => created >= middle },
    { query: `created[lte]=${middle}`, has: ({ created }) => created <= middle },
  ];
}

let count = 0;
const unique = () => `walk-${(count += 1)}`;

async function create(server: ConnectingServer, path: string, body: unknown): Promise<Item> {
  const reply = await server.post(path, body);
  if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.text}`);
  return reply.body.data;
}

const merchant = (server: ConnectingServer, extra: object = {}) =>
  create(server, "/api/v1/merchants", { external_id: unique(), name: "x", ...extra });

/** Each document causes two events, which its timeline lists: created, then issued or rejected. */
const events: Make = async (server) => {
  const other = (await merchant(server)).id;
  const before: Item[] = (await server.get("/api/v1/events?limit=100")).body.data;
  const model = before.reverse().map((item) => ({ ...item, merchant: "", document: "" }) as Item);
  return {
    path: "/events",
    model,
    choices: 3,
    async add(choice) {
      const owner = choice === 1 ? other : server.merchant;
      const body = buildIssueBody(owner, choice === 2 ? { metadata: { sandbox: "rejected" } } : {});
      const { id } = await create(server, "/api/v1/documents", body);
      await server.settle();
      const { timeline } = (await server.get(`/api/v1/documents/${id}`)).body.data as { timeline: Item[] };
      model.push(...timeline.map((entry) => ({ ...entry, merchant: owner, document: id })));
    },
    filters: () => {
      const document = String(model.at(-1)?.["document"]);
      const ofDocument: Filter = {
        query: `document=${document}`,
        has: (item) => item["document"] === document,
      };
      return [
        ALL,
        { query: "type=document.issued", has: ({ type }) => type === "document.issued" },
        {
          query: "type=document.rejected&type=document.created",
          has: ({ type }) => /rejected|document.created/.test(String(type)),
        },
        {
          query: `merchant=${other}&type=document.created&type=document.issued&type=document.rejected`,
          has: (item) => item["merchant"] === other,
        },
        ...(document.startsWith("doc_") ? [ofDocument] : []),
        ...createdFilters(model),
      ];
    },
  };
};

/** Each verification is one call, found in its table. */
const providerCalls: Make = async (server) => {
  const connection = await server.connect();
  const model: Item[] = [];
  async function learn(document: string | null): Promise<void> {
    const rows = await server.appliance.store.read.query((db) =>
      db.selectFrom("provider_calls").select(["id", "started_at"]),
    );
    const known = new Set(model.map(({ id }) => id));
    const fresh = rows
      .filter(({ id }) => !known.has(id))
      .sort((left, right) => (left.id < right.id ? -1 : 1));
    model.push(...fresh.map((row) => ({ id: row.id, created: row.started_at, document })));
  }
  await learn(null);
  const other = (await merchant(server, { tax_id: "123456783" })).id;
  return {
    path: "/provider_calls",
    model,
    choices: 3,
    async add(choice) {
      if (choice > 0) {
        await server.request("POST", `/api/v1/connections/${connection}/verify`);
        return learn(null);
      }
      const { id } = await create(server, "/api/v1/documents", buildIssueBody(other));
      await server.settle();
      return learn(id);
    },
    filters: () => {
      const document = model.findLast((item) => item["document"] !== null)?.["document"];
      const ofDocument: Filter = {
        query: `document=${String(document)}`,
        has: (item) => item["document"] === document,
      };
      return [ALL, ...(document === undefined ? [] : [ofDocument]), ...createdFilters(model)];
    },
  };
};

/**
 * The log has every request with a key, including those that read it; each is identified by the request id it was
 * sent with.
 */
const requests: Make = async (server) => {
  const model: Item[] = [];
  async function note(requestId: string): Promise<void> {
    // Log entries are stored with the next write.
    await server.appliance.store.flush();
    const [row] = await server.appliance.store.read.query((db) =>
      db.selectFrom("requests").selectAll().where("request_id", "=", `client:${requestId}`),
    );
    if (row === undefined) throw new Error(`${requestId} was not logged`);
    if (row.mode === "test") model.push({ ...row, created: row.created_at });
  }
  await server.appliance.store.flush();
  const first = await server.appliance.store.read.query((db) => db.selectFrom("requests").selectAll());
  model.push(
    ...first.filter(({ mode }) => mode === "test").map((row) => ({ ...row, created: row.created_at })),
  );
  const asked: ((headers: Record<string, string>) => Promise<unknown>)[] = [
    (headers) => server.get("/api/v1/merchants?limit=1", { headers }),
    (headers) => server.get("/api/v1/nothing", { headers }),
    (headers) => server.post("/api/v1/documents", buildIssueBody(server.merchant), { headers }),
    (headers) => server.get("/api/v1/merchants?limit=1", { headers, key: server.liveKey }),
  ];
  return {
    path: "/requests",
    model,
    choices: asked.length,
    async add(choice) {
      const requestId = `${unique()}-added`;
      await asked[choice]!({ "x-request-id": requestId });
      await note(requestId);
    },
    noteRead: note,
    filters: () => [
      ALL,
      { query: "status=404", has: ({ status }) => status === 404 },
      { query: "operation_id=listMerchants", has: (item) => item["operation_id"] === "listMerchants" },
      {
        query: "operation_id=listRequests&status=200",
        has: (item) => item["operation_id"] === "listRequests" && item["status"] === 200,
      },
      {
        query: `request_id=${String(model.at(-1)?.["request_id"])}`,
        has: (
          (last) => (item: Item) =>
            item["request_id"] === last
        )(model.at(-1)?.["request_id"]),
      },
      ...createdFilters(model),
    ],
  };
};

/** By operation id. */
export const LIST_CASES: Readonly<Record<string, Make>> = {
  listDocuments: documents,
  listMerchants: merchants,
  listConnections: connections,
  listEvents: events,
  listWebhookEndpoints: webhookEndpoints,
  listWebhookDeliveries: webhookDeliveries,
  listProviderCalls: providerCalls,
  listRequests: requests,
};
