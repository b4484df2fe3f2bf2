// docs/contract.md#identifiers: webhook delivery
/** The description of the API: what it says of every operation, and its examples. */
import addFormats from "ajv-formats";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";
import { OPERATIONS } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi/build-openapi.ts";
import { openServer } from "../helpers/http.ts";
import { closing } from "../helpers/set-up.ts";
import { isValidAfm } from "../../src/domain/tax-number.ts";

const REDOCLY = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

type Json = Record<string, unknown>;

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Described {
  operationId: string;
  parameters: { in?: string; required?: boolean; example?: unknown; schema?: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content: Record<string, Media> }>;
}

/** As clients read it. */
const description: Json = JSON.parse(JSON.stringify(buildOpenApi(OPERATIONS)));
const paths = description["paths"] as Record<string, Record<string, Described>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, "openapi");

const places = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function expectFits(schema: object, value: unknown, where: string): void {
  // References are resolvable only in the whole description.
  const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
  const validate = ajv.compile(rooted);
  expect(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

test("redocly finds no error in the description", async () => {
  const folder = makeFolder();
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(description));
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  const env = { ...process.env, ...quiet };
  const args = [REDOCLY, "lint", file, "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0 } });
  // A warning, of an example that does not match its schema.
  expect(stdout).not.toContain("no-invalid-media-type-examples");
});

test("every operation has a unique name, a tag, a summary and its errors", () => {
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  for (const { summary, tag, path, response, body, idempotency, method } of OPERATIONS) {
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
  const body = { external_id: externalId, name: "Shop" };
  expect(ajv.validate({ $ref: "openapi#/components/schemas/CreateMerchant" }, body)).toBe(isValid);
  await using server = await closing(openServer());
  expect((await server.post("/api/v1/merchants", body)).status).toBe(isValid ? 201 : 400);
});

const api = description as Record<string, Record<string, Json>>;
/** What consists of things with names. */
const NAMED = new Set(["properties", "responses", "headers", "parameters", "schemas", "securitySchemes"]);
const VALUES = new Set(["example", "examples", "const", "enum"]);

/** The places in `node` of named things without a description. */
function undescribed(node: unknown, place: string, key = ""): string[] {
  if (typeof node !== "object" || node === null || VALUES.has(key)) return [];
  return Object.entries(node as Json).flatMap(([name, inner]) => {
    const { description: said = "", ...more } = (inner ?? {}) as Json;
    const isNamed = NAMED.has(key) && !("$ref" in more);
    const here = isNamed && String(said).length < 10 ? [`${place}.${name}`] : [];
    return [...here, ...undescribed(inner, `${place}.${name}`, NAMED.has(key) ? "" : name)];
  });
}

test("every operation, webhook, parameter, header, field and error has a description", () => {
  const operations = Object.values({ ...api["paths"], ...api["webhooks"] }).flatMap((methods) =>
    Object.values(methods as Record<string, Described & { summary: string; description: string }>),
  );
  for (const { operationId, summary, description: said } of operations)
    expect([operationId, summary === "", said.length < 10]).toEqual([operationId, false, false]);
  expect(undescribed(description, "")).toEqual([]);
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

test("every operation has request and response examples that match its schemas", () => {
  for (const { operation } of places) {
    const { operationId, requestBody, responses } = operation;
    const bodies = requestBody === undefined ? [] : [requestBody];
    for (const { content } of [...bodies, ...Object.values(responses)]) {
      for (const [type, { schema, example, examples }] of Object.entries(content)) {
        if (type !== "application/json") continue;
        const shown = examples === undefined ? [example] : Object.values(examples).map(({ value }) => value);
        expect(shown.length, operationId).toBeGreaterThan(0);
        for (const value of shown) {
          expect(value, `${operationId} has no example`).toBeDefined();
          expectFits(schema, value, operationId);
        }
      }
    }
  }
});

test("every required parameter has a valid example", () => {
  for (const { path, operation } of places) {
    for (const { in: place, required, example, schema } of operation.parameters) {
      if (required !== true || schema === undefined) continue;
      expect(example, `${operation.operationId}: ${place} of ${path}`).toBeDefined();
      expectFits(schema, example, operation.operationId);
    }
  }
});

test("every error response has the meaning and an example of each of its codes", () => {
  const { responses } = paths["/api/v1/documents"]!["post"]!;
  const { description: said, content } = responses["422"]!;
  expect(said).toMatch(/`not_supported`: The .+\n- `connection_unavailable`: The /);
  const { examples } = content["application/json"]!;
  expect(Object.keys(examples!)).toEqual(["not_supported", "connection_unavailable", "regime_mismatch"]);
  for (const [code, { value }] of Object.entries(examples!)) expect(value).toMatchObject({ code });
});

test("tax numbers in examples pass the check digit, and ids have their form", () => {
  const text = JSON.stringify(paths);
  const codes = [...text.matchAll(/"(?:code|tax_id|vatNumber)":"(\d{9})"/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.filter((code) => !isValidAfm(code))).toEqual([]);
  const ids = [...text.matchAll(/"((?:doc|mer|con|evt|pcl|rql|cs|we|whd)_[0-9A-Za-z]+)"/g)].map(
    ([, id]) => id!,
  );
  expect(ids.filter((id) => !/^[a-z]+_[0-9A-Za-z]{22}$/.test(id))).toEqual([]);
});

test("the example response of preview is the actual response to the example request", async () => {
  await using server = await closing(openServer());
  const { post } = paths["/api/v1/documents/preview"]!;
  const sent = post!.requestBody!.content["application/json"]!.example;
  const { body } = await server.post("/api/v1/documents/preview", sent);
  expect(body).toEqual(post!.responses["200"]!.content["application/json"]!.example);
});
