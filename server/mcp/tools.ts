/** The operations of the API as MCP tools: a new operation is a tool without a line here. */
import type { Tool, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import type { ErrorCode } from "../../src/foundation/errors.ts";
import { ErrorObjectSchema } from "../../src/foundation/wire.ts";
import { answerSchema, convert, type DescribedOperation, type Json } from "../openapi.ts";
import type { Operation } from "../operation.ts";
import { type Arguments, argumentsOf, creates } from "./arguments.ts";

export interface OperationTool {
  operation: Operation;
  arguments: Arguments;
  /** It changes nothing: what is left in a session that only reads. */
  readsOnly: boolean;
  /** As `tools/list` tells it. */
  definition: Tool;
}

/** Operations that are no tools, each with the reason. */
export const NOT_TOOLS: Readonly<Record<string, string>> = {
  getOpenApi: "tools/list describes the tools, and this description is larger than what a model can read",
};

/** A tool answers JSON: what answers a file or a text is left to the API. */
function isTool(operation: Operation): operation is DescribedOperation {
  const { id, answer } = operation;
  return !Object.hasOwn(NOT_TOOLS, id) && (answer.kind === "data" || answer.kind === "list");
}

/** By name: `issueDocument` is `issue_document`. */
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
      description: describe(operation),
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

/** The operation's own example; where an id stands in the path there is none that would fit. */
function examplesOf({ example }: Operation, found: Arguments): { examples?: Json[] } {
  const isWhole = ![...found.values()].some(({ place }) => place === "path");
  if (example === undefined || !isWhole) return {};
  const named = [...found].flatMap(([name, { place, wireName }]) =>
    place === "body" && Object.hasOwn(example, wireName) ? [[name, example[wireName]]] : [],
  );
  return { examples: [Object.fromEntries(named) as Json] };
}

function describe(operation: Operation): string {
  const parts = [`${operation.summary}.`];
  if (operation.description !== undefined) parts.push(operation.description);
  if (operation.idempotency === "required")
    parts.push(
      "The same arguments again answer the first result and create nothing. Arguments that mean the same but are written otherwise, or a document under an external_reference that was used before, are refused with idempotency_conflict: the first one exists, look for it. Only to create a second one on purpose, give another idempotency_key.",
    );
  return parts.join(" ");
}

/**
 * The API's answer, or its error. A client of the SDK holds structured content against this in both cases, although the
 * protocol asks for it where there is no error.
 */
function outputSchema(operation: DescribedOperation): NonNullable<Tool["outputSchema"]> {
  return { type: "object", anyOf: [answerSchema(operation.answer, convert), ERROR_SCHEMA] };
}

const ERROR_SCHEMA: Json = convert(ErrorObjectSchema, "output");

/** Actions on one thing that take nothing away: they send, ask or allow again. */
const ADDING_ACTIONS: ReadonlySet<string> = new Set([
  "retryDocument",
  "verifyConnection",
  "unarchiveMerchant",
  "resendEvent",
  "replayWebhookEvents",
]);

/** Methods that a repetition does not add to, by what HTTP says of them. */
const REPEATABLE_METHODS: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

/** Errors that only an answer from outside, or none, can lead to. */
const OUTSIDE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "service_unavailable",
  "provider_unavailable",
  "connection_unavailable",
]);

function annotationsOf(operation: Operation, readsOnly: boolean): ToolAnnotations {
  const title = operation.summary;
  const asksOutside = operation.errors.some((code) => OUTSIDE_ERRORS.has(code));
  if (readsOnly) return { title, readOnlyHint: true, openWorldHint: asksOutside };
  return {
    title,
    readOnlyHint: false,
    destructiveHint: !creates(operation) && !ADDING_ACTIONS.has(operation.id),
    idempotentHint: REPEATABLE_METHODS.has(operation.method) || operation.idempotency === "required",
    // Merchants are our own; all else that is changed reaches a provider or a receiver of events, now or later.
    openWorldHint: asksOutside || operation.tag !== "merchants",
  };
}
