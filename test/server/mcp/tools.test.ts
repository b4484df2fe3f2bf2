import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { NOT_TOOLS, type OperationTool, toolsOf } from "../../../server/mcp/tools.ts";
import { data, type Operation, file, operationsOf } from "../../../src/operations/operation.ts";
import { createdFields, textField } from "../../../src/operations/field.ts";
import { described } from "../../../src/foundation/described.ts";
import { toolResultOf } from "../../../server/mcp/call.ts";

const operations = OPERATIONS;
const tools = toolsOf(operations);

function toolNamed(name: string): OperationTool {
  return tools.get(name) ?? expect.fail(`there is no ${name}`);
}

describe("the tools", () => {
  test("are all operations, except those with a reason", () => {
    const served = new Set([...tools.values()].map(({ operation: { id } }) => id));
    const left = operations.filter(({ id }) => !served.has(id));
    expect(left.map(({ id }) => id)).toEqual(Object.keys(NOT_TOOLS));
  });

  test.each([...tools.values()].map((tool) => [tool.definition.name, tool] as const))(
    "%s has a title, a description, hints, and names that every model accepts",
    (name, { definition }) => {
      expect(name).toMatch(/^[a-z][a-z_]{0,63}$/);
      expect(definition.title).not.toBe("");
      expect(definition.description).toContain("Returns ");
      expect(definition.annotations?.readOnlyHint).toEqual(expect.any(Boolean));
      const { type, properties, required, ...rest } = definition.inputSchema;
      expect(type).toBe("object");
      for (const key of ["anyOf", "oneOf", "allOf", "$ref"]) expect(rest).not.toHaveProperty(key);
      for (const property of Object.keys(properties ?? {})) expect(property).toMatch(/^[A-Za-z0-9_]{1,64}$/);
      for (const property of required ?? []) expect(properties).toHaveProperty([property]);
      // Components of the API's description are not available here.
      expect(JSON.stringify(definition)).not.toContain("$ref");
      // Schemas of results are left out, so that the list stays short.
      expect(definition).not.toHaveProperty("outputSchema");
    },
  );

  test.each([
    ["list_documents", { readOnlyHint: true, openWorldHint: false }],
    ["preview_document", { readOnlyHint: true, openWorldHint: false }],
    ["lookup_tax_id", { readOnlyHint: true, openWorldHint: true }],
    ["issue_document", { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ["credit_document", { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ["cancel_document", { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    ["retry_document", { readOnlyHint: false, destructiveHint: true, openWorldHint: true }],
    ["update_merchant_settings", { destructiveHint: true, idempotentHint: true, openWorldHint: false }],
    ["create_connect_session", { readOnlyHint: false, destructiveHint: false, idempotentHint: false }],
  ])("%s hints %j", (name, hints) => {
    expect(toolNamed(name).definition.annotations).toMatchObject(hints);
  });
});

describe("the arguments", () => {
  test("are path, query and body in one object, with the key if something is created", () => {
    const names = (name: string) => [...toolNamed(name).arguments.keys()];
    expect(names("get_document")).toEqual(["id"]);
    expect(names("list_events").join(" ")).toBe(
      "limit starting_after ending_before created_gte created_lte type document merchant",
    );
    expect(names("update_merchant")).toEqual(expect.arrayContaining(["id", "name", "metadata"]));
    expect(names("issue_document")).toContain("idempotency_key");
    // To create an identical object on purpose.
    expect(toolNamed("issue_document").definition.description).toContain("different idempotency_key");
    expect(names("preview_document")).not.toContain("idempotency_key");
    expect(names("preview_document")).toEqual(
      expect.arrayContaining(["provider", "type", "lines", "totals"]),
    );
  });

  test("for a body of several shapes accept all fields, and require those that every shape requires", () => {
    const { inputSchema } = toolNamed("create_connection").definition;
    expect(inputSchema.required).toEqual(["id", "provider", "credentials"]);
    expect(JSON.stringify(inputSchema.properties?.["credentials"])).toMatch(
      /subscription_key.*provider_user_id/,
    );
  });

  test("with clashing names keep the first, and prefix that of the body", () => {
    const clashing: Operation = operationsOf("webhook endpoints")({
      id: "renameThing",
      method: "POST",
      path: "/webhook_endpoints/{id}/rename",
      summary: "Rename a thing",
      description: "Gives a thing another name.",
      query: { ...createdFields({ en: "only", el: "μόνο" }), name: textField(10, "Its old name.") },
      body: v.strictObject({
        id: v.string(),
        name: v.string(),
        idempotency_key: v.string(),
        other: v.string(),
      }),
      idempotency: "required",
      response: described(v.string(), "It."),
      handle: async () => data(null),
    });
    const found = toolsOf([clashing]).get("rename_thing")!.arguments;
    expect([...found].map(([name, { place, wireName }]) => [name, place, wireName])).toEqual([
      ["id", "path", "id"],
      ["created_gte", "query", "created[gte]"],
      ["created_lte", "query", "created[lte]"],
      ["name", "query", "name"],
      ["idempotency_key", "key", "Idempotency-Key"],
      ["body_id", "body", "id"],
      ["body_name", "body", "name"],
      ["body_idempotency_key", "body", "idempotency_key"],
      ["other", "body", "other"],
    ]);
    expect(found.get("id")?.schema["description"]).toBe("The id of the webhook endpoint.");
  });
});

function resultOf(size: number) {
  const bytes = new Uint8Array(size);
  const result = file(
    { bytes, contentType: "application/pdf", name: "TIM-1.pdf" },
    { documentId: null, merchantId: null },
  );
  return toolResultOf({ result }, "req_1");
}

test("a file of up to 1 MiB is in the result; a larger one is only described, with where to get it", () => {
  expect(resultOf(1_048_576).content[1]).toMatchObject({ type: "resource" });
  const { content, structuredContent } = resultOf(1_048_577);
  expect(content[1]).toMatchObject({ type: "text", text: expect.stringContaining("fiscal documents pdf") });
  expect(structuredContent).toMatchObject({ data: { bytes: 1_048_577 } });
});
