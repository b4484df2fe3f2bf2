/**
 * The definition of an operation. The route, its OpenAPI description and request log, the MCP tool and the verb of the command line
 * are made from it.
 */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import type { WordTable } from "../domain/document-codes.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import type { Page, FollowOptions } from "../foundation/pages.ts";
import type { ErrorCode } from "../foundation/errors.ts";
import { isId } from "../foundation/system.ts";
import type { Text } from "../foundation/text.ts";
import type { Flag, QueryFields, QueryValues } from "./field.ts";
import type { Column, Row } from "./view.ts";

/** The input of a handler, parsed and authorised. */
export interface Call<Query> {
  context: Context;
  mode: Mode;
  /** The `{id}` of the path, or empty. It is unchecked: handlers report a malformed one as not found. */
  id: string;
  /** What the command line names beside the merchant. */
  customer?: string | undefined;
  query: Query;
  /** The parsed body; undefined for operations without one. */
  body: unknown;
  cause: Cause;
  /** The idempotency of a creation; undefined where the operation creates nothing. */
  use: IdempotencyUse | undefined;
  /** Counts a lookup that queries the registry, which has a limit of its own (docs/contract.md#rate-limits). Throws `rate_limited`. */
  countLookup(): Promise<void>;
  /** Receives how far a long operation without a route has come. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A file instead of JSON. Its bytes are never logged. */
export interface ResponseFile {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** ASCII, without quotes. */
  name: string;
}

/** The result of a handler. `json` is the whole response body, and empty when there is a file. */
export interface OperationResult {
  status: 200 | 201;
  json: string;
  /** The object that `json` was made of, if the handler still has it. Its errors have their Greek texts, which `json` has not. */
  value?: unknown;
  file?: ResponseFile;
  replayed: boolean;
  /** For the request log. */
  merchantId: string | null;
  documentId: string | null;
}

/** The verb that the command line makes of an operation. */
export interface Verb {
  /** Of the help's list. */
  summary: Text;
  /**
   * What its argument names, such as `call`: the `{id}` of the path, or its own parameter beside the merchant. A `merchant` is named
   * by id or external id; `number...` takes several words.
   */
  argument?: string;
  /** The `{id}` of the path is a merchant, which the flag `--merchant` names. */
  merchant?: "required" | "optional";
  /** The flags of the body's fields, by their paths. */
  flags?: Readonly<Record<string, BodyFlag>>;
  /** It may be the first verb that is run, so it creates a missing database. */
  makesDatabase?: true;
  /** It has the flag `--idempotency-key`. */
  takesKey?: true;
  /** Whole command lines for the help. */
  examples: readonly string[];
}

/** A field of the body as a flag. Its value is a text, or an instant if the flag takes an `<instant>`, unless `kind` says otherwise. */
export interface BodyFlag extends Flag {
  /**
   * `pairs`: `--metadata plan=basic`, repeatable. `list`: several values, separated by spaces or commas. `file`: the text of a file;
   * `json`: its value.
   */
  kind?: "integer" | "pairs" | "list" | "file" | "json";
  /** The words that it takes, for completion. */
  words?: readonly string[];
  /** Other words that people may type, by the one of `words` that they mean. */
  meanings?: WordTable<string>;
  /** What a form calls it, where the help says it in words of the terminal. */
  label?: Text;
  /** Asked for at a terminal if it is missing; elsewhere it is required. */
  ask?: Text;
  /** An empty value removes what is stored. */
  isRemovable?: true;
}

/** How people see a list. */
export interface Table<Item> {
  /** Instead of an empty table: "No documents.". */
  none: Text;
  columns: readonly Column<Item>[];
  /** Instead of `columns`, with what the items do not have themselves. */
  completedColumns?(context: Context, items: readonly Item[]): Promise<readonly Column<Item>[]>;
}

/** The verb `tail`, which prints the items of a list as they arrive. */
export interface Tail<Query extends QueryFields, Item> {
  summary: Text;
  example: string;
  /** Yields the items in the order of their ids. */
  follow(
    context: Context,
    mode: Mode,
    options: Partial<QueryValues<Query>> & FollowOptions,
  ): AsyncIterable<Item>;
}

/** What the command line needs of an operation. */
interface Executable<Query extends QueryFields, Item> {
  id: string;
  /** None if it is left out. */
  query?: Query;
  /** The body's schema, for the description. The function that the handler calls does the parsing. */
  body?: v.GenericSchema;
  /** Undefined if the command line has no such verb, or one that does more. */
  verb?: Verb;
  /** If it returns a list. */
  table?: Table<Item>;
  /** The rows of one object. */
  rows?(item: Item): readonly Row[];
  handle(call: Call<QueryValues<Query>>): Promise<OperationResult>;
}

/** An operation without a route, which only the command line has. With a table it returns a list of everything that there is. */
export interface LocalDefinition<Query extends QueryFields, Item = unknown> extends Executable<Query, Item> {
  query: Query;
  /** Of the object, or of those of the list. */
  fields: readonly string[];
}

export type LocalOperation = LocalDefinition<QueryFields>;

type NoFields = Record<never, never>;

export function localOperation<const Query extends QueryFields = NoFields, Item = unknown>(
  definition: Omit<LocalDefinition<Query, Item>, "query"> & { query?: Query },
): LocalDefinition<Query, Item> {
  return { query: {} as Query, ...definition };
}

/** An operation as it is written down; `operation` completes it. */
interface OperationInput<Query extends QueryFields, Item> extends Executable<Query, Item> {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below /api/v1, with parameters as `{id}`. */
  path: string;
  summary: string;
  /** What it does and when to use it, in a few plain sentences. MCP shows it too, with tool names in place of operation ids. */
  description: string;
  /** A request without a body counts as one with `{}`. */
  isBodyOptional?: true;
  /** A valid body, for the description. */
  example?: Readonly<Record<string, unknown>>;
  /** `required`: for a creation; `accepted`, by default for POST: recorded and shown in events; `none`: ignored. */
  idempotency?: "required" | "accepted" | "none";
  /** It creates something although the key is optional; a request with a key creates once. */
  creates?: true;
  /** It changes something but takes nothing away: it sends, verifies or restores. Not needed for creations. */
  isAdditive?: true;
  /** With a live key it files a document with the authority, which cannot be undone. */
  filesDocuments?: true;
  /** The schema of the object, or of the items of a list that has pages. */
  response: v.GenericSchema<unknown, Item> | { contentType: string; description: string };
  /** Beside those that follow from its path, query, body and idempotency, and those of every operation: 401, 429, 500. */
  errors?: readonly ErrorCode[];
  /** Redacts a body that contains credentials, for the log; undefined when the body is logged unchanged. */
  bodyForLog?: (body: unknown) => unknown;
  /** It changes nothing although it is not a GET. */
  readsOnly?: true;
  tail?: Tail<Query, Item>;
}

export interface OperationDefinition<Query extends QueryFields, Item = unknown>
  extends Omit<OperationInput<Query, Item>, "response"> {
  tag: string;
  query: Query;
  idempotency: "required" | "accepted" | "none";
  response:
    | {
        status: 200 | 201;
        kind: "data" | "list" | "text";
        schema: v.GenericSchema<unknown, Item>;
        description: string;
      }
    | { status: 200; kind: "file"; contentType: string; description: string };
  /** In addition to those of every operation. */
  errors: readonly ErrorCode[];
}

export type Operation = OperationDefinition<QueryFields>;

/** Whether an idempotency key makes the operation run at most once. */
export function isCreation({ idempotency, creates }: Pick<Operation, "idempotency" | "creates">): boolean {
  return idempotency === "required" || creates === true;
}

const DEFINED: Operation[] = [];

/** The operations that a module exports, in the order in which it defines them. */
export function operationsIn(module: object): Operation[] {
  const exported = new Set<unknown>(Object.values(module));
  return DEFINED.filter((defined) => exported.has(defined));
}

/** Returns a function that defines operations with this tag. The type of the query determines the type of the handler's `call.query`. */
export function operationsOf(tag: string) {
  return <const Query extends QueryFields = NoFields, Item = unknown>(
    definition: OperationInput<Query, Item>,
  ): OperationDefinition<Query, Item> => {
    const { query = {} as Query, response, errors = [] } = definition;
    const idempotency = definition.idempotency ?? (definition.method === "POST" ? "accepted" : "none");
    const isCreating = isCreation({ ...definition, idempotency });
    const defined: OperationDefinition<Query, Item> = {
      ...definition,
      tag,
      query,
      idempotency,
      response:
        "contentType" in response
          ? { ...response, kind: "file", status: 200 }
          : describeResponse(response, "starting_after" in query, isCreating ? 201 : 200),
      errors: [...errorsOf({ ...definition, query, idempotency }, isCreating), ...errors],
    };
    DEFINED.push(defined as Operation);
    return defined;
  };
}

function describeResponse<Item>(schema: v.GenericSchema<unknown, Item>, isList: boolean, status: 200 | 201) {
  return isList
    ? { schema, status, kind: "list" as const, description: "A page, newest first." }
    : { schema, status, kind: "data" as const, description: v.getDescription(schema)! };
}

/** The errors that follow from what an operation takes. */
function errorsOf(
  { path, query, body, idempotency }: Pick<Operation, "path" | "query" | "body" | "idempotency">,
  isCreating: boolean,
): ErrorCode[] {
  const takesInput = Object.keys(query).length > 0 || body !== undefined || idempotency !== "none";
  return [
    ...(takesInput ? (["validation_failed"] as const) : []),
    ...(path.includes("{id}") ? (["not_found"] as const) : []),
    ...(isCreating ? (["idempotency_conflict", "idempotency_in_progress"] as const) : []),
    ...(body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
  ];
}

const NOTHING = { replayed: false, merchantId: null, documentId: null };

/** 200 with one object. The log has the merchant that it is or names, unless another is given, and the document that it is. */
export function data(object: unknown, merchant?: string): OperationResult {
  const value = { data: object };
  const named = object as { object?: unknown; id: string; merchant?: string | null };
  const isDocument = named.object === "document" || named.object === "document_contents";
  return {
    ...NOTHING,
    status: 200,
    json: JSON.stringify(value),
    value,
    merchantId: merchant ?? (named.object === "merchant" ? named.id : (named.merchant ?? null)),
    documentId: isDocument ? named.id : null,
  };
}

/** 200 with a list. */
export function list(page: Page<unknown>): OperationResult {
  return { ...NOTHING, status: 200, json: JSON.stringify(page), value: page };
}

/** The same with everything that there is. */
export function wholeList(items: readonly unknown[]): OperationResult {
  return list({ object: "list", data: [...items], has_more: false });
}

/** 200 with a file. */
export function file(
  content: ResponseFile,
  about: Pick<OperationResult, "merchantId" | "documentId">,
): OperationResult {
  return { ...NOTHING, status: 200, json: "", file: content, ...about };
}

/** 201 with the created object, of `merchantId` for the log; a replay has the same bytes as the first response. */
export function created({ id, json, replayed }: Created, merchantId: string | null = null): OperationResult {
  const documentId = isId(id, "doc") ? id : null;
  return { status: 201, json: `{"data":${json}}`, replayed, merchantId, documentId };
}
