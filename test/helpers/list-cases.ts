/** Every list of the API, as a test case for paging through it. */
import { buildIssueBody } from "./appliance.ts";
import { CONNECT } from "./connecting.ts";
import { events, providerCalls, requests } from "./list-cases-logs.ts";
import {
  by,
  create,
  createdFilters,
  every,
  type Item,
  type Make,
  merchant,
  none,
  unique,
} from "./list-model.ts";

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
      every(""),
      by({ merchant: other }),
      by({ type: "11.1" }),
      by({ external_reference: "same", status: "pending" }),
      by({ merchant: server.merchant, provider: "sandbox" }),
      none("status=issued"),
      every("issue_date[gte]=2026-11-02&issue_date[lte]=2026-11-02"),
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
      every(""),
      by({ tax_id: "094012834" }, "tax_id=094.012.834"),
      by({ archived: true }),
      by({ archived: false }),
      by({ external_id: "shop" }, "external_id=SHOP"),
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
    filters: () => [every("")],
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
    filters: () => [every(""), by({ status: "disabled" })],
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
    filters: () => [every(""), every("status=held"), none("status=failed")],
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
