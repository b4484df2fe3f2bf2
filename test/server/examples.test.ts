// docs/contract.md#identifiers: webhook delivery
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi/build-openapi.ts";
import { isValidAfm } from "../../src/domain/tax-number.ts";
import { openServer } from "../helpers/http.ts";
import { closing } from "../helpers/set-up.ts";

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Described {
  operationId: string;
  parameters: { in?: string; required?: boolean; example?: unknown; schema?: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content: Record<string, Media> }>;
}

const description = buildOpenApi(OPERATIONS);
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

test("every error response has an example for each of its codes", () => {
  const { responses } = paths["/api/v1/documents"]!["post"]!;
  const { examples } = responses["422"]!.content["application/json"]!;
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
