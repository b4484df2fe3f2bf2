/** Login, and a tenant's account: details, billing books, branches, tax number lookup. */
import { createHmac } from "node:crypto";
import {
  type Answer,
  type Asked,
  type Book,
  drawId,
  errorList,
  isRecord,
  ok,
  type Tenant,
  tenantOf,
  type TenantSetup,
  type World,
} from "./world.ts";

const TOKEN_MS = 24 * 60 * 60 * 1000;

export function createTenant(setup: TenantSetup): Tenant {
  return {
    ...setup,
    books: (setup.books ?? []).map((book) => ({ ...book })),
    branches: [...(setup.branches ?? [])],
    isAdmitted: true,
    tokens: new Map(),
  };
}

/** A signed token with its own id, so that no two logins return the same. */
function signToken(world: World, tenant: Tenant, expiresMs: number): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: tenant.userId, exp: Math.floor(expiresMs / 1000), jti: drawId(world) };
  const head = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${head}.${createHmac("sha256", "the fake's own key").update(head).digest("base64url")}`;
}

export function logIn({ body }: Asked, world: World): Answer {
  const { api_key: apiKey, email, wrapp_user_id: userId } = isRecord(body) ? body : {};
  if ((email === undefined) === (userId === undefined)) {
    world.problems.push("POST /login: exactly one of email and wrapp_user_id is to be sent");
  }
  const tenant = world.tenants.find(
    (one) =>
      one.isAdmitted &&
      one.apiKey === apiKey &&
      (email === undefined ? one.userId === userId : one.email === email),
  );
  if (tenant === undefined) return errorList(401, "Not valid user");
  const expiresMs = world.nowMs() + TOKEN_MS;
  const jwt = signToken(world, tenant, expiresMs);
  tenant.tokens.set(jwt, expiresMs);
  return ok({ data: { type: "jwt", attributes: { jwt } } });
}

/** The tenant of a valid token; `unknown` for a token that was never issued. */
export function findTenant(world: World, token: string): Tenant | "expired" | "unknown" {
  const tenant = world.tenants.find(({ tokens }) => tokens.has(token));
  if (tenant === undefined) return "unknown";
  return (tenant.tokens.get(token) ?? 0) > world.nowMs() ? tenant : "expired";
}

/** Expires every token now. */
export function expireTokens(tenants: readonly Tenant[]): void {
  for (const { tokens } of tenants) for (const token of tokens.keys()) tokens.set(token, 0);
}

export function describeTenant(asked: Asked): Answer {
  const { userId, email } = tenantOf(asked);
  return ok({
    wrapp_user_id: userId,
    partner_user_id: null,
    issue_invoice_status: true,
    email,
    has_plan: true,
    plan_name: "Basic",
    next_payment_date: null,
    next_payment_amount: null,
  });
}

export function listBooks(asked: Asked): Answer {
  return ok(tenantOf(asked).books);
}

/** The type of the book that covers others of its group; itself if there is none. */
export function coveringType(type: string): string {
  return { "1": "1.1", "2": "2.1", "5": "5.2" }[type.split(".")[0] ?? ""] ?? type;
}

/** A taken name or series: 422, keyed by field. A book created as 1.2 becomes 1.1, unless books are exact. */
export function makeBook(asked: Asked, world: World): Answer {
  const { books } = tenantOf(asked);
  const { name, series, number, invoice_type_code: type } = asked.body as Omit<Book, "id">;
  const errors: Record<string, string[]> = {};
  if (books.some((book) => book.name.toLowerCase() === name.toLowerCase()))
    errors["name"] = ["has already been taken"];
  if (books.some((book) => book.series.toLowerCase() === series.toLowerCase())) {
    errors["series"] = ["χρησιμοποιείται ήδη"];
  }
  if (Object.keys(errors).length > 0) return { status: 422, body: { errors } };
  const book = { id: drawId(world), name, series, invoice_type_code: coveringType(type), number };
  books.push(book);
  return { status: 201, body: book };
}

export function listBranches(asked: Asked): Answer {
  return ok(tenantOf(asked).branches);
}

/** Only Greek numbers, under EL; GR is not accepted here. */
export function lookUp({ query }: Asked, world: World): Answer {
  const vat = query.get("vat") ?? "";
  const found = query.get("country_code") === "EL" ? world.taxpayers.get(vat) : undefined;
  if (found === undefined) return errorList(404, "Vat not found");
  return ok({ vat_no: vat, ...found });
}
