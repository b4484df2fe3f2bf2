/** The lists of events, provider calls and requests. */
import { buildIssueBody } from "./appliance.ts";
import { by, create, createdFilters, every, type Item, type Make, merchant, unique } from "./list-model.ts";

/** Each document causes two events, which its timeline lists: created, then issued or rejected. */
export const events: Make = async (server) => {
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
      return [
        every(""),
        by({ type: "document.issued" }),
        {
          query: "type=document.rejected&type=document.created",
          has: ({ type }) => /rejected|document.created/.test(String(type)),
        },
        by(
          { merchant: other },
          `merchant=${other}&type=document.created&type=document.issued&type=document.rejected`,
        ),
        ...(document.startsWith("doc_") ? [by({ document })] : []),
        ...createdFilters(model),
      ];
    },
  };
};

/** Each verification is one call, found in its table. */
export const providerCalls: Make = async (server) => {
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
      const ofDocument = typeof document === "string" ? [by({ document })] : [];
      return [every(""), ...ofDocument, ...createdFilters(model)];
    },
  };
};

/**
 * The log has every request with a key, including those that read it; each is identified by the request id it was
 * sent with.
 */
export const requests: Make = async (server) => {
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
  const first = await server.appliance.store.read.query((db) =>
    db.selectFrom("requests").selectAll().where("mode", "=", "test"),
  );
  model.push(...first.map((row) => ({ ...row, created: row.created_at })));
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
      every(""),
      by({ status: 404 }),
      by({ operation_id: "listMerchants" }),
      by({ operation_id: "listRequests", status: 200 }),
      by({ request_id: String(model.at(-1)?.["request_id"]) }),
      ...createdFilters(model),
    ],
  };
};
