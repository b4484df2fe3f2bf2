/** The operation that returns the API's OpenAPI description. */
import * as v from "valibot";
import { described } from "../foundation/described.ts";
import type { Operation } from "./operation.ts";

/** `text` is called on demand, because the description includes this operation. */
export function metaOperations(text: () => string): readonly Operation[] {
  return [
    {
      id: "getOpenApi",
      method: "GET",
      path: "/openapi.json",
      tag: "meta",
      summary: "Get the OpenAPI description of this API",
      description: "Returns this description as JSON. It is also public at `/openapi.json`, without a key.",
      query: {},
      idempotency: "none",
      response: {
        status: 200,
        kind: "text",
        schema: v.pipe(
          v.looseObject({ openapi: described(v.string(), "The version of OpenAPI.") }),
          v.metadata({ jsonSchema: { additionalProperties: true } }),
        ),
        description: "OpenAPI 3.1.",
      },
      errors: [],
      handle: async () => ({
        status: 200,
        json: text(),
        replayed: false,
        merchantId: null,
        documentId: null,
      }),
    },
  ];
}
