import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi/build-openapi.ts";
import { openServer } from "../helpers/http.ts";
import { closing } from "../helpers/set-up.ts";

const REDOCLY = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

test("redocly finds no error in the description", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    await writeFile(file, JSON.stringify(buildOpenApi(OPERATIONS)));
    const env = {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      CI: "true",
    };
    const args = [REDOCLY, "lint", file, "--format", "json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder });
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number };
      problems: { ruleId: string }[];
    };
    expect(totals.errors).toBe(0);
    // The warnings include examples that do not match their schema.
    const rules = problems.map(({ ruleId }) => ruleId);
    expect(rules).not.toContain("no-invalid-media-type-examples");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("every operation has a unique name, a tag, a summary and its errors", () => {
  const operations = OPERATIONS;
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  for (const { summary, tag, path, response, body, idempotency, method } of operations) {
    expect(summary).not.toBe("");
    expect(tag).not.toBe("");
    expect(path).toMatch(/^\/[a-z_{}/.]+$/);
    if (response.status === 201)
      expect([method, idempotency === "none", body === undefined]).toEqual(["POST", false, false]);
  }
});

test.each([
  ["x".repeat(200), true],
  [`  ${"x".repeat(200)}  `, true],
  ["x".repeat(201), false],
  [`x${" ".repeat(199)}x`, false],
  ["ά 𝛼", true],
  ["𝛼".repeat(200), true],
  [" \t ", false],
  ["", false],
])("describes external_id %j as it is accepted, after trimming", async (externalId, isValid) => {
  const { components } = buildOpenApi(OPERATIONS) as { components: { schemas: Record<string, object> } };
  const body = { external_id: externalId, name: "Shop" };
  const validate = new Ajv2020({ strict: false }).addSchema({ $id: "api", components });
  expect(validate.validate({ $ref: "api#/components/schemas/CreateMerchant" }, body)).toBe(isValid);
  await using server = await closing(openServer());
  expect((await server.post("/api/v1/merchants", body)).status).toBe(isValid ? 201 : 400);
});

type Json = Record<string, unknown>;

/** As clients read it. */
const api = JSON.parse(JSON.stringify(buildOpenApi(OPERATIONS))) as Record<string, Record<string, Json>>;
const missing: string[] = [];

function requireDescription(thing: Json, place: string): void {
  if (typeof thing["description"] !== "string" || thing["description"].length < 10) missing.push(place);
}

/** Every field in `schema`, and in what it consists of. */
function walkSchema(schema: Json, place: string): void {
  for (const [name, field] of Object.entries((schema["properties"] ?? {}) as Record<string, Json>)) {
    requireDescription(field, `${place}.${name}`);
    walkSchema(field, `${place}.${name}`);
  }
  for (const key of ["anyOf", "oneOf", "allOf"])
    for (const part of (schema[key] ?? []) as Json[]) walkSchema(part, place);
  for (const key of ["items", "additionalProperties"])
    if (typeof schema[key] === "object") walkSchema(schema[key] as Json, `${place}[]`);
}

function walkContent({ content = {} }: Json, place: string): void {
  for (const { schema } of Object.values(content as Record<string, { schema?: Json }>))
    if (schema !== undefined) walkSchema(schema, place);
}

function walkOperation(operation: Json, place: string): void {
  requireDescription(operation, place);
  expect(operation["summary"], place).not.toBe("");
  for (const parameter of operation["parameters"] as Json[])
    if (!("$ref" in parameter)) requireDescription(parameter, `${place} ${String(parameter["name"])}`);
  walkContent((operation["requestBody"] ?? {}) as Json, `${place} request`);
  for (const [status, response] of Object.entries(operation["responses"] as Record<string, Json>)) {
    requireDescription(response, `${place} ${status}`);
    walkContent(response, `${place} ${status}`);
  }
}

test("every operation, webhook, parameter, header, field and error has a description", () => {
  for (const [path, methods] of Object.entries({ ...api["paths"], ...api["webhooks"] }))
    for (const [method, operation] of Object.entries(methods))
      walkOperation(operation as Json, `${method} ${path}`);
  const { schemas, headers, parameters, securitySchemes } = api["components"]!;
  for (const [name, schema] of Object.entries(schemas as Record<string, Json>)) {
    requireDescription(schema, name);
    walkSchema(schema, name);
  }
  for (const named of [headers, parameters, securitySchemes] as Record<string, Json>[])
    for (const [name, thing] of Object.entries(named)) requireDescription(thing, name);
  expect(missing).toEqual([]);
});

test("an error response says what each of its codes means", () => {
  const { responses } = api["paths"]!["/api/v1/documents"]!["post"] as {
    responses: Record<string, { description: string }>;
  };
  expect(responses["422"]!.description).toMatch(/`not_supported`: The .+\n- `connection_unavailable`: The /);
});

test("requests have no defaults, which typed clients would take for required fields", () => {
  const { schemas } = api["components"]!;
  for (const name of ["IssueDocument", "CanonicalDocument", "Party", "Line"])
    expect(JSON.stringify(schemas![name]), name).not.toContain('"default"');
});

test("every event type is a webhook whose snapshot is named", () => {
  const { webhooks } = api;
  const { requestBody } = webhooks!["connection.invalid"]!["post"] as { requestBody: object };
  expect(JSON.stringify(requestBody)).toMatch(
    /schemas\/Event".*"const":"connection.invalid".*schemas\/Connection"/,
  );
  expect(Object.keys(webhooks!)).toContain("document.issued");
});
