/** A tool that only MCP has: it answers from this installation and makes no API request. */
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import * as v from "valibot";
import type { Appliance } from "../../src/appliance.ts";
import { validationError } from "../../src/foundation/errors.ts";
import { problemsOf } from "../../src/foundation/validation.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { convert } from "../openapi/json-schema.ts";
import { shorten } from "./short-schema.ts";
import type { Toolset } from "./toolsets.ts";

/** A call that has been checked. */
export interface OwnCall {
  /** The parsed arguments, for the log. */
  arguments: unknown;
  /** The result, which becomes `{data}`. */
  run(): unknown;
}

export interface OwnTool {
  kind: "own";
  /** In the log. */
  operationId: string;
  toolset: Toolset;
  readsOnly: true;
  definition: Tool;
  /** Throws `validation_failed`. */
  check(appliance: Appliance, mode: Mode, given: unknown): OwnCall;
}

interface OwnToolDefinition<Schema extends v.GenericSchema> {
  /** As operation ids are written. */
  id: string;
  name: string;
  toolset: Toolset;
  title: string;
  description: string;
  arguments: Schema;
  run(appliance: Appliance, mode: Mode, given: v.InferOutput<Schema>): unknown;
}

/** Defines a tool that changes nothing and contacts nobody. */
export function ownTool<Schema extends v.GenericSchema>(definition: OwnToolDefinition<Schema>): OwnTool {
  const { id, name, toolset, title, description, arguments: schema, run } = definition;
  return {
    kind: "own",
    operationId: id,
    toolset,
    readsOnly: true,
    definition: {
      name,
      title,
      description,
      inputSchema: { additionalProperties: false, ...shorten(convert(schema, "input")), type: "object" },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    check(appliance, mode, given) {
      const parsed = v.safeParse(schema, given);
      if (!parsed.success) throw validationError(problemsOf(parsed.issues, ""));
      return { arguments: parsed.output, run: () => run(appliance, mode, parsed.output) };
    },
  };
}
