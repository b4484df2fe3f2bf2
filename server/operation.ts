/** What an operation of the API is. The router, the OpenAPI description, the MCP tools and the request log all read these. */
import type * as v from "valibot";
import type { Mode } from "../storage/stored-values.ts";
import type { Appliance } from "../src/appliance.ts";
import type { Cause, Created, IdempotencyClaim } from "../src/journal/context.ts";
import type { Page } from "../src/foundation/pages.ts";
import type { ErrorCode } from "../src/foundation/errors.ts";
import type { QueryFields, QueryValues } from "./query.ts";

/** What a handler gets: everything parsed and authorised. */
export interface Call<Query> {
  appliance: Appliance;
  mode: Mode;
  /** The path's parameters, as they stand; a malformed id reads as not found further in. */
  params: Readonly<Record<string, string>>;
  query: Query;
  /** The parsed body; undefined for operations without one. */
  body: unknown;
  cause: Cause;
  /** The idempotency of a creation; undefined where the operation creates nothing. */
  claim: IdempotencyClaim | undefined;
}

/** A file in place of JSON. Its bytes are never logged. */
export interface AnswerFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** ASCII, without quotes. */
  name: string;
}

/** What a handler answers. `json` is the whole body; it is empty where a file is. */
export interface Answer {
  status: 200 | 201;
  json: string;
  file?: AnswerFile;
  replayed: boolean;
  /** For the request log. */
  merchantId: string | null;
  documentId: string | null;
  /** The canonical document that this request's body became, where a document was accepted: the log keeps no second copy. */
  accepted?: unknown;
}

export interface OperationDefinition<Query extends QueryFields> {
  id: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below /api/v1, with parameters as `{id}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  query: Query;
  /** The body's schema, for the description; parsing is the handler's function's own. */
  body?: v.GenericSchema;
  /** Nothing in it is required: a request without a body has an empty one. */
  isBodyOptional?: true;
  /** A body that is taken as it stands, for the description. */
  example?: Readonly<Record<string, unknown>>;
  /** `required`: a creation; `accepted`: noted and shown in events; `none`: not looked at. */
  idempotency: "required" | "accepted" | "none";
  /** Also where a key is only accepted, one that is given makes the creation happen once. */
  creates?: true;
  answer:
    | { status: 200 | 201; kind: "data" | "list" | "text"; schema: v.GenericSchema; description: string }
    | { status: 200; kind: "file"; contentType: string; description: string };
  /** Beside those that every operation has: 401, 429, 500. */
  errors: readonly ErrorCode[];
  /** What may be logged of a body that carries credentials; undefined for bodies that are logged as they are. */
  bodyForLog?: (body: unknown) => unknown;
  /** It changes nothing, although it is no GET. */
  readsOnly?: true;
  /** A second rate limit that holds for this operation (decisions 2.7). */
  limit?: "lookups";
  handle(call: Call<QueryValues<Query>>): Promise<Answer>;
}

export type Operation = OperationDefinition<QueryFields>;

/** Defines an operation; its handler is typed by its query. */
export function operation<const Query extends QueryFields>(
  definition: OperationDefinition<Query>,
): Operation {
  return definition as unknown as Operation;
}

const NOTHING = { replayed: false, merchantId: null, documentId: null };

/** 200 with one thing. */
export function data(
  object: unknown,
  about: Partial<Pick<Answer, "merchantId" | "documentId">> = {},
): Answer {
  return { ...NOTHING, status: 200, json: `{"data":${JSON.stringify(object)}}`, ...about };
}

/** 200 with a list. */
export function list(page: Page<unknown>): Answer {
  return { ...NOTHING, status: 200, json: JSON.stringify(page) };
}

/** 200 with a file, to be kept under its name. */
export function file(
  content: AnswerFile,
  about: Partial<Pick<Answer, "merchantId" | "documentId">> = {},
): Answer {
  return { ...NOTHING, status: 200, json: "", file: content, ...about };
}

/** 201 with what was created, byte for byte as the first time. */
export function created(result: Created, about: Partial<Answer>): Answer {
  return { ...NOTHING, status: 201, json: `{"data":${result.json}}`, replayed: result.replayed, ...about };
}
