/**
 * The arguments of a tool: the path parameters, query parameters and body fields of an operation in one flat object. The query's
 * `created[gte]` becomes `created_gte`, since some models allow no brackets in names; a body field whose name is already taken
 * becomes `body_<name>`. The API itself validates the values.
 */
import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { type Problem, validationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import { fingerprint } from "../../src/journal/idempotency.ts";
import { pathDescription } from "../openapi/describe-operation.ts";
import { convert, type Json } from "../openapi/json-schema.ts";
import { isCreation, type Operation } from "../../src/operations/operation.ts";
import { problemWithKey } from "../request.ts";

export interface Argument {
  place: "path" | "query" | "body" | "key";
  /** Its name in the API. */
  wireName: string;
  schema: Json;
  isRequired: boolean;
}

/** By the names that callers use. */
export type Arguments = ReadonlyMap<string, Argument>;

/** A request to the API, before it is turned into HTTP. */
export interface ApiRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Undefined for an operation without a body. */
  body: Record<string, unknown> | undefined;
  idempotencyKey: string | undefined;
}

const KEY = "idempotency_key";

export function argumentsOf(operation: Operation): Arguments {
  const found = new Map<string, Argument>();
  const idSchema = { type: "string", description: pathDescription(operation.path) };
  for (const [, wireName = ""] of operation.path.matchAll(/\{(\w+)\}/g))
    found.set(wireName, { place: "path", wireName, schema: idSchema, isRequired: true });
  for (const [wireName, field] of Object.entries(operation.query)) {
    const schema = { ...field.json, description: field.description };
    const name = wireName.replaceAll(/\[(\w+)\]/g, "_$1");
    found.set(name, { place: "query", wireName, schema, isRequired: field.isRequired === true });
  }
  if (isCreation(operation)) found.set(KEY, keyArgument(operation));
  if (operation.body === undefined) return found;
  for (const [wireName, field] of fieldsOf(operation.body)) {
    const name = found.has(wireName) ? `body_${wireName}` : wireName;
    found.set(name, { place: "body", wireName, ...field });
  }
  return found;
}

function keyArgument({ idempotency }: Operation): Argument {
  const byDefault =
    idempotency === "required"
      ? "By default derived from the other arguments."
      : "Repeating a call with the same key and arguments returns the first result. Without a key, every call creates.";
  const description = `Up to 255 ASCII characters. ${byDefault}`;
  const schema = { type: "string", description };
  return { place: "key", wireName: "Idempotency-Key", schema, isRequired: false };
}

type Field = Pick<Argument, "schema" | "isRequired">;

/** The fields of a body, across all its alternatives. A field is required if every alternative requires it. */
function fieldsOf(body: v.GenericSchema): [string, Field][] {
  const whole = convert(body, "input");
  const shapes = (whole["anyOf"] ?? [whole]) as { properties?: Record<string, Json>; required?: string[] }[];
  const found = shapes.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, schema]) => ({
      name,
      schema,
      isRequired: required.includes(name),
    })),
  );
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, same]) => [
    name,
    {
      schema: same.length === 1 ? same[0]!.schema : { anyOf: same.map(({ schema }) => schema) },
      isRequired: same.filter(({ isRequired }) => isRequired).length === shapes.length,
    },
  ]);
}

/**
 * Builds the API request from the arguments `given`. An unknown argument is passed on, so that the API refuses it by name. Throws
 * `validation_failed` for arguments that no request can express.
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
    // Null means absent: some models fill in every argument.
    else if (value === null) continue;
    else if (place === "query") problems.push(...addParameter(query, wireName, name, value));
    else if (typeof value !== "string")
      problems.push({ path: name, message: { en: "must be a string", el: "πρέπει να είναι κείμενο" } });
    else if (place === "path") params[wireName] = value;
    else idempotencyKey = value;
  }
  for (const [name, { place }] of known)
    if (place === "path" && (given[name] ?? null) === null)
      problems.push({ path: name, message: { en: "is required", el: "είναι υποχρεωτικό" } });
  const message = idempotencyKey === undefined ? undefined : problemWithKey(idempotencyKey);
  if (message !== undefined) problems.push({ path: KEY, message });
  if (problems.length > 0) throw validationError(problems);
  const sent = operation.body === undefined ? undefined : Object.fromEntries(body);
  if (operation.idempotency === "required") idempotencyKey ??= automaticKey(operation, params, sent);
  return { params, query, body: sent, idempotencyKey };
}

/**
 * The key of a call that has none. Models often write the same call slightly differently when they repeat it, so the key is
 * derived from the parsed arguments without empty values. For a document with an external_reference it is derived from that
 * alone: as in batches, each reference issues one document. For a body with credentials the key is random, because keys are
 * logged; a merchant has only one connection per provider anyway.
 */
function automaticKey(
  operation: Operation,
  params: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> | undefined,
): string {
  if (operation.bodyForLog !== undefined) return `mcp-${randomUUID()}`;
  const parsed = operation.body === undefined ? undefined : v.safeParse(operation.body, body);
  const normalised = parsed?.success === true ? parsed.output : body;
  const { external_reference: reference, merchant } = (body ?? {}) as Record<string, unknown>;
  if (operation.id === "issueDocument" && typeof reference === "string")
    return `mcp-${fingerprint(params, { merchant, external_reference: reference.trim() })}`;
  return `mcp-${fingerprint(params, withoutEmpty(normalised))}`;
}

/** `value` without nulls and empty objects. */
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

const NO_PARAMETER: Text = {
  en: "must be text, a number, true or false, or a list of these",
  el: "πρέπει να είναι κείμενο, αριθμός, true ή false, ή λίστα από αυτά",
};

/** Adds `value` as HTTP writes it; a list repeats the parameter. */
function addParameter(query: URLSearchParams, wireName: string, name: string, value: unknown): Problem[] {
  for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (typeof item !== "string" && typeof item !== "number" && typeof item !== "boolean")
      return [{ path: name, message: NO_PARAMETER }];
    query.append(wireName, String(item));
  }
  return [];
}
