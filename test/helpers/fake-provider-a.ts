/**
 * Fakes the licensed provider (docs/provider-a.md) on a free port of this machine: it authenticates, numbers
 * documents, assigns MARKs and uids, rejects invalid documents, and loses responses on demand. The test fails
 * (`close` throws) if a document is sent again after it was filed, or if a path, method, field or header is unknown.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createTenant, expireTokens } from "./fake-provider-a/accounts.ts";
import { answer } from "./fake-provider-a/answers.ts";
import { createFaultPlan } from "./fake-provider-a/faults.ts";
import { BASE, findRoute, handle, type SeenRequest } from "./fake-provider-a/handle.ts";
import { createHost } from "./host.ts";
import { findFiling } from "./fake-provider-a/invoices.ts";
import {
  type Answer,
  isRecord,
  LIST_PAGE_SIZE,
  type Taxpayer,
  type Tenant,
  type TenantSetup,
  type Verdict,
  type World,
} from "./fake-provider-a/world.ts";
import { seeded } from "./seeded.ts";

export type { Fault } from "./fake-provider-a/faults.ts";
export type { Taxpayer, TenantSetup } from "./fake-provider-a/world.ts";

export interface FakeOptions {
  tenants: readonly TenantSetup[];
  /** Answers of the tax number lookup, by number. */
  taxpayers?: Readonly<Record<string, Taxpayer>>;
  /** The clock for document dates and token expiry. */
  nowMs?: () => number;
  /** Invoices on a page of the list. */
  listPageSize?: number;
}

export async function startFakeProviderA(options: FakeOptions) {
  const plan = createFaultPlan();
  const requests: SeenRequest[] = [];
  const world: World = {
    tenants: options.tenants.map(createTenant),
    filings: [],
    taxpayers: new Map(Object.entries(options.taxpayers ?? {})),
    listPageSize: options.listPageSize ?? LIST_PAGE_SIZE,
    problems: [],
    nowMs: options.nowMs ?? Date.now,
    origin: () => host.origin(),
    draw: seeded(1),
  };
  const host = createHost(serve, (error) => void world.problems.push(`the fake failed: ${String(error)}`));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", host.origin());
    const found = findRoute(request.method ?? "", url.pathname);
    const route = found?.route.name ?? `${request.method} ${url.pathname}`;
    const path = `${url.pathname.replace(BASE, "")}${url.search}`;
    const seen: SeenRequest = { route, path, headers: request.headers, body: undefined };
    requests.push(seen);
    const fault = plan.take(route);
    if (fault?.kind === "cut" && !fault.done) {
      request.socket.destroy();
      return;
    }
    seen.body = parse(await readAll(request));
    const work = (verdict?: Verdict): Answer => {
      if (found !== undefined) return handle(world, found, url.searchParams, seen, verdict);
      world.problems.push(`${route}: there is no such address here`);
      return { status: 404, body: { error: "Not Found" } };
    };
    const hide = (askings: number) => hideFiling(world, seen, askings);
    answer(fault, { response, work, hide });
  }

  await host.listen();
  return {
    /** The base URL of the API. */
    url: `${host.origin()}${BASE}`,
    /** Everything that was filed, in order. */
    ledger: world.filings,
    /** Requests in order of arrival. */
    requests,
    /** The number of requests to `route`. */
    count: (route: string) => requests.filter((seen) => seen.route === route).length,
    /** The tenant of `apiKey`; the first by default. */
    tenant: (apiKey?: string) => tenantOfKey(world, apiKey),
    /** Every issued token. */
    tokens: () => world.tenants.flatMap(({ tokens }) => [...tokens.keys()]),
    /** Expires every token now. */
    expireTokens: () => expireTokens(world.tenants),
    next: plan.next,
    /** Meets every later request to its route. */
    always: plan.always,
    /** Refuses connections and ends open ones, until `comeBack`. */
    goDown: host.stop,
    comeBack: host.listen,
    /** Removes a problem that the test caused on purpose; throws if there is none. */
    forgive(problem: RegExp) {
      const index = world.problems.findIndex((text) => problem.test(text));
      if (index === -1) throw new Error(`There is no such problem to forgive: ${problem}`);
      world.problems.splice(index, 1);
    },
    /** Throws if there are problems or unused faults. */
    async close() {
      await host.close();
      const unmet = plan.left().map((fault) => `nothing met the fault ${JSON.stringify(fault)}`);
      const problems = [...world.problems, ...unmet];
      if (problems.length > 0) throw new Error(`The fake provider has problems:\n${problems.join("\n")}`);
    },
  };
}

function tenantOfKey(world: World, apiKey: string | undefined): Tenant {
  const tenant = world.tenants.find((one) => apiKey === undefined || one.apiKey === apiKey);
  if (tenant === undefined) throw new Error("The fake has no such tenant");
  return tenant;
}

function hideFiling(world: World, { body }: SeenRequest, askings: number): void {
  const reference = isRecord(body) ? String(body["external_id"]) : "";
  for (const tenant of world.tenants) {
    const filing = findFiling(world, tenant, reference);
    if (filing !== undefined) filing.hiddenFor = askings;
  }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Text that is not JSON is passed on unchanged; every route rejects it. */
function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
