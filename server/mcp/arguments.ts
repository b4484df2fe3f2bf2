/**
 * The arguments of a tool: one flat object of what an operation takes in its path, its query and its body. A query's
 * `created[gte]` is `created_gte`, since some models take no brackets in a name; a field of the body whose name is taken by
 * then is `body_<name>`. What an argument may hold is the API's own business: it parses and refuses.
 */
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type Problem, validationError } from "../../src/foundation/errors.ts";
import { fingerprint } from "../../src/journal/idempotency.ts";
import { convert, type Json } from "../openapi.ts";
import type { Operation } from "../operation.ts";
import { problemWithKey } from "../request.ts";

export interface Argument {
  place: "path" | "query" | "body" | "key";
  /** What the API calls it. */
  wireName: string;
  schema: Json;
  isRequired: boolean;
}

/** By the names that a caller uses. */
export type Arguments = ReadonlyMap<string, Argument>;

/** A request to the API, before it is one of HTTP. */
export interface ApiRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Undefined for an operation without a body. */
  body: Record<string, unknown> | undefined;
  idempotencyKey: string | undefined;
}

const KEY = "idempotency_key";

export function creates(operation: Operation): boolean {
  return operation.idempotency === "required" || operation.creates === true;
}

export function argumentsOf(operation: Operation): Arguments {
  const found = new Map<string, Argument>();
  for (const [, wireName = ""] of operation.path.matchAll(/\{(\w+)\}/g))
    found.set(wireName, { place: "path", wireName, schema: pathSchema(operation), isRequired: true });
  for (const [wireName, field] of Object.entries(operation.query)) {
    const schema = { ...field.json, description: field.description };
    const name = wireName.replaceAll(/\[(\w+)\]/g, "_$1");
    found.set(name, { place: "query", wireName, schema, isRequired: field.isRequired === true });
  }
  if (creates(operation)) found.set(KEY, keyArgument(operation));
  if (operation.body === undefined) return found;
  for (const [wireName, field] of fieldsOf(operation.body)) {
    const name = found.has(wireName) ? `body_${wireName}` : wireName;
    found.set(name, { place: "body", wireName, ...field });
  }
  return found;
}

function pathSchema({ path }: Operation): Json {
  const thing = (path.split("/")[1] ?? "").replace(/s$/, "").replaceAll("_", " ");
  return { type: "string", description: `The id of the ${thing}.` };
}

function keyArgument({ idempotency }: Operation): Argument {
  const otherwise =
    idempotency === "required"
      ? "Left out, it is made of the other arguments, so that the same call again creates nothing twice; give one of your own to create a second, equal thing on purpose."
      : "The same key and arguments answer the first result again. Left out, every call creates.";
  const description = `Chosen by you, 1 to 255 printable ASCII characters without spaces. ${otherwise}`;
  const schema = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$", description };
  return { place: "key", wireName: "Idempotency-Key", schema, isRequired: false };
}

type Field = Pick<Argument, "schema" | "isRequired">;

/** The fields of a body: of an object, or of all the objects that it may be. A field is required where all of them do. */
function fieldsOf(body: v.GenericSchema): Map<string, Field> {
  const schema = convert(body, "input");
  const shapes = (schema["anyOf"] ?? schema["oneOf"] ?? [schema]) as Json[];
  const fields = new Map<string, { schemas: Json[]; requiredBy: number }>();
  for (const shape of shapes) {
    const required = (shape["required"] ?? []) as string[];
    for (const [name, field] of Object.entries((shape["properties"] ?? {}) as Record<string, Json>)) {
      const known = fields.get(name) ?? { schemas: [], requiredBy: 0 };
      known.schemas.push(field);
      if (required.includes(name)) known.requiredBy += 1;
      fields.set(name, known);
    }
  }
  return new Map(
    [...fields].map(([name, { schemas, requiredBy }]) => [
      name,
      {
        schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas },
        isRequired: requiredBy === shapes.length,
      },
    ]),
  );
}

/**
 * What `given` asks of the API. An argument that the tool has not goes where the API will refuse it by its name. Throws
 * `validation_failed` for what cannot become a request at all.
 */
export function requestOf(
  operation: Operation,
  known: Arguments,
  given: Readonly<Record<string, unknown>>,
): ApiRequest {
  const problems: Problem[] = [];
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const body: [string, unknown][] = [];
  let idempotencyKey: string | undefined;
  for (const [name, value] of Object.entries(given)) {
    const place = known.get(name)?.place ?? (operation.body === undefined ? "query" : "body");
    const wireName = known.get(name)?.wireName ?? name;
    if (place === "body") body.push([wireName, value]);
    // Null stands for what is left out: models that fill every argument write it.
    else if (value === null) continue;
    else if (place === "query") problems.push(...addParameter(query, wireName, name, value));
    else if (typeof value !== "string") problems.push({ path: name, message: "must be a string" });
    else if (place === "path") params[wireName] = value;
    else idempotencyKey = value;
  }
  for (const [name, { place }] of known)
    if (place === "path" && (given[name] ?? null) === null)
      problems.push({ path: name, message: "is required" });
  const message = idempotencyKey === undefined ? undefined : problemWithKey(idempotencyKey);
  if (message !== undefined) problems.push({ path: KEY, message });
  if (problems.length > 0) throw validationError(problems);
  const sent = operation.body === undefined ? undefined : Object.fromEntries(body);
  if (operation.idempotency === "required") idempotencyKey ??= automaticKey(operation, params, sent);
  return { params, query, body: sent, idempotencyKey };
}

/**
 * The key of a call that names none. A repetition is often written anew: what it means counts, not what it leaves out or
 * spells out. A caller's own reference says more than all else: as in batches, one document is issued under it. Where a
 * body has credentials the key says nothing of them, for it stands in logs; what they are for exists only once anyway.
 */
function automaticKey(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> | undefined,
): string {
  if (operation.bodyForLog !== undefined) return `mcp-${randomUUID()}`;
  const parsed = operation.body === undefined ? undefined : v.safeParse(operation.body, body);
  const meant = parsed?.success === true ? parsed.output : body;
  const { external_reference: reference, merchant } = (body ?? {}) as Record<string, unknown>;
  if (operation.id === "issueDocument" && typeof reference === "string")
    return `mcp-${fingerprint(params, { merchant, external_reference: reference.trim() })}`;
  return `mcp-${fingerprint(params, withoutEmpty(meant))}`;
}

/** Without what says nothing: null, and objects with nothing in them. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(entries.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null || value === undefined;
  return !Array.isArray(value) && Object.keys(value).length === 0;
}

/** As HTTP would write it; a list repeats the parameter. */
function addParameter(query: URLSearchParams, wireName: string, name: string, value: unknown): Problem[] {
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (typeof item !== "string" && typeof item !== "number" && typeof item !== "boolean")
      return [{ path: name, message: "must be text, a number, true or false, or a list of such" }];
    query.append(wireName, String(item));
  }
  return [];
}
