/** Derives the MCP tools from the API's operations; a new operation needs no change here. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorCode } from "../../src/foundation/errors.ts";
import { ErrorObjectSchema } from "../../src/foundation/wire.ts";
import { type DescribedOperation, responseSchema } from "../openapi/describe-operation.ts";
import { convert, type Json } from "../openapi/json-schema.ts";
import { isCreation, type Operation } from "../operation.ts";
import { type Arguments, argumentsOf } from "./arguments.ts";

export interface OperationTool {
  operation: Operation;
  arguments: Arguments;
  /** It changes nothing, so read-only sessions offer it. */
  readsOnly: boolean;
  /** The entry of `tools/list`. */
  definition: Tool;
}

/** Operations that are not offered as tools, each with the reason. */
export const NOT_TOOLS: Readonly<Record<string, string>> = {
  getOpenApi: "tools/list describes the tools, and this description is larger than what a model can read",
};

/** Only operations that return JSON are tools; files and text are left to the API. */
function isTool(operation: Operation): operation is DescribedOperation {
  const { id, response } = operation;
  return !Object.hasOwn(NOT_TOOLS, id) && (response.kind === "data" || response.kind === "list");
}

/** The tools by name; `issueDocument` becomes `issue_document`. */
export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, OperationTool> {
  return new Map(operations.filter(isTool).map((operation) => [nameOf(operation), toolOf(operation)]));
}

function nameOf({ id }: Operation): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toolOf(operation: DescribedOperation): OperationTool {
  const found = argumentsOf(operation);
  const readsOnly = operation.method === "GET" || operation.readsOnly === true;
  return {
    operation,
    arguments: found,
    readsOnly,
    definition: {
      name: nameOf(operation),
      title: operation.summary,
      description: describeTool(operation),
      inputSchema: {
        type: "object",
        properties: Object.fromEntries([...found].map(([name, { schema }]) => [name, schema])),
        required: [...found].filter(([, { isRequired }]) => isRequired).map(([name]) => name),
        additionalProperties: false,
        ...examplesOf(operation, found),
      },
      outputSchema: outputSchema(operation),
      annotations: annotationsOf(operation, readsOnly),
    },
  };
}

/** The operation's example. None for a path with an id, since no example id would exist. */
function examplesOf({ example }: Operation, found: Arguments): { examples?: Json[] } {
  const isWhole = ![...found.values()].some(({ place }) => place === "path");
  if (example === undefined || !isWhole) return {};
  const named = [...found].flatMap(([name, { place, wireName }]) =>
    place === "body" && Object.hasOwn(example, wireName) ? [[name, example[wireName]]] : [],
  );
  return { examples: [Object.fromEntries(named) as Json] };
}

function describeTool(operation: Operation): string {
  const parts = [`${operation.summary}.`];
  if (operation.description !== undefined) parts.push(operation.description);
  if (operation.idempotency === "required")
    parts.push(
      "Repeating the call with the same arguments returns the first result and creates nothing. Arguments that mean the same but are written differently, or a document with an external_reference that was used before, are refused with idempotency_conflict: the first one exists, so look it up. Pass a different idempotency_key only to create a second one on purpose.",
    );
  return parts.join(" ");
}

/**
 * The API's response, or its error. SDK clients validate structured content against this schema in both cases, although the
 * protocol requires that only for successful calls.
 */
function outputSchema(operation: DescribedOperation): NonNullable<Tool["outputSchema"]> {
  return { type: "object", anyOf: [responseSchema(operation.response, convert), ERROR_SCHEMA] };
}

const ERROR_SCHEMA: Json = convert(ErrorObjectSchema, "output");

/** The methods that HTTP defines as idempotent. PATCH is not among them, but all of ours are. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** Errors that only occur in operations that contact an outside service. */
const OUTSIDE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "service_unavailable",
  "provider_unavailable",
  "connection_unavailable",
]);

function annotationsOf(operation: Operation, readsOnly: boolean): ToolAnnotations {
  const title = operation.summary;
  const contactsOutside = operation.errors.some((code) => OUTSIDE_ERRORS.has(code));
  if (readsOnly) return { title, readOnlyHint: true, openWorldHint: contactsOutside };
  return {
    title,
    readOnlyHint: false,
    destructiveHint: !isCreation(operation) && operation.isAdditive !== true,
    idempotentHint: REPEATABLE_METHODS.has(operation.method) || operation.idempotency === "required",
    // Merchants are local; any other change reaches a provider or a webhook receiver, now or later.
    openWorldHint: contactsOutside || operation.tag !== "merchants",
  };
}
