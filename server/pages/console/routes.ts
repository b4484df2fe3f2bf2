/** All routes of the console. */
import { CONNECTION_ROUTES } from "./connections.ts";
import { DOCUMENT_ROUTES } from "./documents.ts";
import { KEY_ROUTES } from "./keys.ts";
import { LOG_ROUTES } from "./logs.ts";
import { MERCHANT_ROUTES } from "./merchants.ts";
import { OVERVIEW_ROUTES } from "./overview.ts";
import { REPORT_ROUTES } from "./reports.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";
import { UPLOAD_ROUTES } from "./upload/upload.ts";
import type { Route } from "./visit.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";

const ROUTES: readonly Route[] = [
  ...SIGN_IN_ROUTES,
  ...OVERVIEW_ROUTES,
  ...DOCUMENT_ROUTES,
  ...REPORT_ROUTES,
  ...MERCHANT_ROUTES,
  ...CONNECTION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...KEY_ROUTES,
  ...LOG_ROUTES,
  ...UPLOAD_ROUTES,
];

interface Matcher {
  route: Route;
  form: RegExp;
}

const MATCHERS: readonly Matcher[] = ROUTES.map((route) => ({
  route,
  form: new RegExp(`^/console${route.path.replaceAll(/:(\w+)/g, "(?<$1>[0-9A-Za-z_-]{1,100})")}/?$`),
}));

export interface FoundRoute {
  route: Route;
  params: Readonly<Record<string, string>>;
}

/** The route of a path; undefined if there is none. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const { route, form } of MATCHERS) {
    if (route.method !== wanted) continue;
    const found = form.exec(path);
    if (found !== null) return { route, params: { ...found.groups } };
  }
  return undefined;
}
