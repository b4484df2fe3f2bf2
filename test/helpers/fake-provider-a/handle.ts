/** Checks the headers, the token and the form of a request before its route handles it. */
import type { IncomingMessage } from "node:http";
import { findTenant } from "./accounts.ts";
import { checkBody, FILE_ROUTE, matchRoute, type Route, ROUTES } from "./routes.ts";
import { type Answer, errorList, type Tenant, type Verdict, type World } from "./world.ts";

export const BASE = "/api/v1";

/** A request as the server received it. */
export interface SeenRequest {
  /** `GET /invoices/{ref}`; the method and plain path if no route matches. */
  route: string;
  /** The path below the base URL, with its query. */
  path: string;
  headers: IncomingMessage["headers"];
  /** The parsed body; undefined if there was none or it was not read. */
  body: unknown;
}

export interface FoundRoute {
  route: Route;
  params: Record<string, string>;
}

export function findRoute(method: string, path: string): FoundRoute | undefined {
  const isOfApi = path.startsWith(`${BASE}/`);
  for (const route of isOfApi ? ROUTES : [FILE_ROUTE]) {
    const params = matchRoute(route.name, method, isOfApi ? path.slice(BASE.length) : path);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function unauthorized(): Answer {
  return { status: 401, body: { errors: [{ status: "401", title: "Unauthorized" }] } };
}

/** Checks the headers, then the form, then runs the route. */
export function handle(
  world: World,
  { route, params }: FoundRoute,
  query: URLSearchParams,
  { headers, body }: SeenRequest,
  verdict: Verdict | undefined,
): Answer {
  const complain = (problem: string) => void world.problems.push(`${route.name}: ${problem}`);
  checkHeaders(route, headers, complain);
  const tenant = route.token === "bearer" ? tenantOfToken(world, headers.authorization, complain) : undefined;
  if (route.token === "bearer" && tenant === undefined) return unauthorized();
  const names = [...query.keys()].sort().join(" ");
  if (names !== [...route.query].sort().join(" ")) complain(`the parameters are not [${route.query}]`);
  const wrong = checkBody(route, body);
  for (const problem of wrong) complain(problem);
  if (wrong.length > 0) return errorList(422, ...wrong);
  return route.handle({ tenant, params, query, body, verdict }, world);
}

function checkHeaders(
  route: Route,
  headers: IncomingMessage["headers"],
  complain: (problem: string) => void,
): void {
  const accept = route === FILE_ROUTE ? "application/pdf" : "application/json";
  if (!headers.accept?.includes(accept)) complain(`the header Accept: ${accept} is missing`);
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  if (route.body !== null && !isJson) complain("the header Content-Type: application/json is missing");
  if (route.token === "none" && headers.authorization !== undefined) {
    complain("a token was sent where none belongs");
  }
}

function tenantOfToken(
  world: World,
  header: string | undefined,
  complain: (problem: string) => void,
): Tenant | undefined {
  const token = /^Bearer (\S+)$/.exec(header ?? "")?.[1];
  if (token === undefined) {
    complain("the header Authorization: Bearer is missing");
    return undefined;
  }
  const found = findTenant(world, token);
  if (found === "unknown") complain("the token was never given here");
  return typeof found === "string" ? undefined : found;
}
