/** Derives the MCP tools from the API's operations; a new operation needs no change here. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import type * as v from "valibot";
import type { Appliance } from "../../src/appliance.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { ErrorCode } from "../../src/foundation/errors.ts";
import { type Json, outline, shorten } from "../openapi/json-schema.ts";
import { isCreation, type Operation } from "../../src/operations/operation.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";
import { type Toolset, toolsetOfTag } from "./toolsets.ts";

interface CommonTool {
  /** In the log. */
  operationId: string;
  toolset: Toolset;
  /** It changes nothing, so read-only sessions offer it. */
  readsOnly: boolean;
  /** The entry of `tools/list`. */
  definition: Tool;
}

export interface OperationTool extends CommonTool {
  operation: Operation;
  arguments: Arguments;
}

/** A tool that only MCP has. */
export interface OwnTool extends CommonTool {
  schema: v.GenericSchema;
  /** Returns what becomes `{data}`. `given` was parsed with the schema. */
  run(given: unknown, appliance: Appliance, mode: Mode): unknown;
}

export type McpTool = OperationTool | OwnTool;

export type Tools = ReadonlyMap<string, McpTool>;

/** Operations that are not offered as tools, each with the reason. */
export const NOT_TOOLS: Readonly<Record<string, string>> = {
  getOpenApi: "tools/list describes the tools, and this description is larger than what a model can read",
};

export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, OperationTool> {
  const offered = operations.filter(({ id }) => !Object.hasOwn(NOT_TOOLS, id));
  return new Map(offered.map((operation) => [toolName(operation.id), toolOf(operation)]));
}

export function allTools(operations: readonly Operation[], own: readonly OwnTool[]): Tools {
  return new Map<string, McpTool>([
    ...toolsOf(operations),
    ...own.map((tool) => [tool.definition.name, tool] as const),
  ]);
}

/**
 * Without an output schema: the schemas of all results are twice as long as everything else, and a model reads the result
 * itself. The OpenAPI description has them.
 */
function toolOf(operation: Operation): OperationTool {
  const found = argumentsOf(operation);
  const readsOnly = operation.method === "GET" || operation.readsOnly === true;
  const describe = SHOWN_ELSEWHERE.has(operation.id) ? outline : shorten;
  const required = [...found].filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    operationId: operation.id,
    toolset: toolsetOfTag(operation.tag),
    operation,
    arguments: found,
    readsOnly,
    definition: {
      name: toolName(operation.id),
      title: operation.summary,
      description: describeTool(operation),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          [...found].map(([name, { schema }]) => [name, describe(schema)]),
        ) as Tool["inputSchema"]["properties"],
        ...(required.length === 0 ? {} : { required }),
        additionalProperties: false,
        ...examplesOf(operation, found),
      },
      annotations: annotationsOf(operation, readsOnly),
    },
  };
}

/** Operations whose example and fields are part of another one's. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["previewDocument", "computeDocument"]);

/** The operation's example. None for a path with an id, since no example id would exist. */
function examplesOf({ id, example }: Operation, found: Arguments): { examples?: Json[] } {
  const isWhole = ![...found.values()].some(({ place }) => place === "path");
  if (example === undefined || !isWhole || SHOWN_ELSEWHERE.has(id)) return {};
  const named = [...found].flatMap(([name, { place, wireName }]) =>
    place === "body" && Object.hasOwn(example, wireName) ? [[name, example[wireName]]] : [],
  );
  return { examples: [Object.fromEntries(named) as Json] };
}

/** The methods that HTTP defines as idempotent. PATCH is not among them, but all of ours are. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** Errors that only occur in operations that contact an outside service. */
const OUTSIDE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "service_unavailable",
  "provider_unavailable",
  "connection_unavailable",
]);

function annotationsOf(operation: Operation, readsOnly: boolean): ToolAnnotations {
  const contactsOutside = operation.errors.some((code) => OUTSIDE_ERRORS.has(code));
  if (readsOnly) return { readOnlyHint: true, openWorldHint: contactsOutside };
  return {
    readOnlyHint: false,
    destructiveHint:
      operation.filesDocuments === true || (!isCreation(operation) && operation.isAdditive !== true),
    idempotentHint: REPEATABLE_METHODS.has(operation.method) || operation.idempotency === "required",
    // Merchants are local; any other change reaches a provider or a webhook receiver, now or later.
    openWorldHint: operation.tag !== "merchants",
  };
}

/** `issueDocument` becomes `issue_document`. */
export function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const REPEATED =
  "The same arguments again return the first result; for a second, equal object pass a different idempotency_key. idempotency_conflict: look it up.";

/** Operation ids in a description, such as `getDocument`: every camel-case word that is one. */
const OPERATION_ID = /`([a-z]+(?:[A-Z][a-z]+)+)`/g;

/** The API's description of the operation, with the names of tools in place of operation ids. */
function describeTool({ description, response, idempotency }: Operation): string {
  const returned = response.description.replace(/^(?:The|A|An)\b/, (word) => word.toLowerCase());
  const text = description.replaceAll(OPERATION_ID, (_whole, id: string) => toolName(id));
  return [text, `Returns ${returned}`, ...(idempotency === "required" ? [REPEATED] : [])].join(" ");
}
