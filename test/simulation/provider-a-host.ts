/** The licensed provider as a host in the simulated network. */
import { createTenant } from "../helpers/fake-provider-a/accounts.ts";
import { BASE, findRoute, handle } from "../helpers/fake-provider-a/handle.ts";
import { LIST_PAGE_SIZE, type World } from "../helpers/fake-provider-a/world.ts";
import type { Operation } from "./fates.ts";
import type { Destination } from "./network.ts";
import type { Request } from "./platform.ts";
import { PROVIDER_A_MERCHANT, TAX_NUMBERS } from "./merchants.ts";

export const PROVIDER_A_URL = "https://provider-a.example.com";

const TENANT = {
  apiKey: "sk/Synthetic+Key=4711",
  email: "shop@example.gr",
  userId: "user-4711",
  vat: TAX_NUMBERS[PROVIDER_A_MERCHANT]!,
};
export const PROVIDER_A_CREDENTIALS = { api_key: TENANT.apiKey, provider_user_id: TENANT.userId };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "POST /invoices": "issue",
  "GET /invoices/{ref}": "ask",
};

export interface ProviderAHost extends Destination {
  world: World;
}

export function createProviderAHost(options: Pick<World, "nowMs" | "draw">): ProviderAHost {
  const world: World = {
    ...options,
    tenants: [createTenant(TENANT)],
    filings: [],
    taxpayers: new Map(),
    listPageSize: LIST_PAGE_SIZE,
    problems: [],
    origin: () => PROVIDER_A_URL,
  };
  const find = (request: Request) => {
    const url = new URL(request.url);
    return { url, found: findRoute(request.method, url.pathname) };
  };
  return {
    world,
    describe(request) {
      const { url, found } = find(request);
      const route = found?.route.name ?? `${request.method} ${url.pathname}`;
      const operation = OPERATIONS[route] ?? "account";
      return { operation, subject: operation === "account" ? route : "", merchant: PROVIDER_A_MERCHANT };
    },
    receive(request) {
      const { url, found } = find(request);
      if (found === undefined) throw new Error(`provider_a has no address ${request.method} ${url.pathname}`);
      const body = request.body === null ? undefined : (JSON.parse(request.body) as unknown);
      const path = url.pathname.replace(BASE, "");
      const seen = { route: found.route.name, path, headers: request.headers, body };
      const answer = handle(world, found, url.searchParams, seen, undefined);
      const { status, headers, body: answered } = answer;
      if (Buffer.isBuffer(answered))
        return { status, headers: headers ?? {}, body: answered.toString("latin1") };
      const json = { "content-type": "application/json", ...headers };
      return { status, headers: json, body: JSON.stringify(answered) };
    },
  };
}
