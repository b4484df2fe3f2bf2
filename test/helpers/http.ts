/** Sends requests to the app, and checks every response against the API's own description. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { OPERATIONS, createApp } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi/build-openapi.ts";
import { type BenchOptions, buildIssueBody, openBench } from "./appliance.ts";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  /** Undefined for a file. Untyped, but already checked against the description. */
  body: ReturnType<typeof JSON.parse>;
}

export interface Sent {
  key?: string | null;
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

const description = buildOpenApi(OPERATIONS);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, "openapi");

type Described = {
  responses: Record<
    string,
    { headers?: Record<string, { $ref: string }>; content?: Record<string, { schema: { $ref?: string } }> }
  >;
};
const paths = (description as { paths: Record<string, Record<string, Described>> }).paths;

function findOperation(
  method: string,
  pathname: string,
): { pointer: string; described: Described } | undefined {
  // Paths without parameters come before paths with them.
  const templates = Object.keys(paths).sort(
    (left, right) => left.split("{").length - right.split("{").length,
  );
  for (const template of templates) {
    const form = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    const described = paths[template]?.[method.toLowerCase()];
    if (form.test(pathname) && described !== undefined) {
      const pointer = `#/paths/${template.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}`;
      return { pointer, described };
    }
  }
  return undefined;
}

const FAILURE = "openapi#/components/schemas/Error";

const validators = new Map<string, ValidateFunction>();

/** Compiled once for each place of the description. */
function validatorFor(reference: string): ValidateFunction {
  let validator = validators.get(reference);
  if (validator === undefined) {
    validator = ajv.compile({ $ref: reference });
    validators.set(reference, validator);
  }
  return validator;
}

function expectValid(reference: string, body: unknown, where: string): void {
  const validate = validatorFor(reference);
  expect(validate(body), `${where}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

/** Checks the status, headers and body of a response against the description. */
export function expectDescribed(
  method: string,
  path: string,
  reply: Omit<Reply, "bytes">,
  isLimited = true,
): void {
  expect(reply.headers.get("x-request-id")).toMatch(/^(req_[0-9a-f-]{36}|client:[A-Za-z0-9._:-]{8,128})$/);
  if (!path.startsWith("/api/v1")) return;
  const found = findOperation(method, path.split("?")[0]!);
  const where = `${method} ${path} → ${reply.status}`;
  if (found === undefined) {
    expectValid(FAILURE, reply.body, where);
    return;
  }
  const response = found.described.responses[String(reply.status)];
  expect(response, `${where} is not described`).toBeDefined();
  const contentType = reply.headers.get("content-type") ?? "";
  expect(Object.keys(response?.content ?? {}), `${where} content type`).toEqual([contentType]);
  const place = `${found.pointer}/responses/${reply.status}/content/application~1json/schema`;
  // Most responses share a schema, which is then compiled once.
  const { $ref = place } = response?.content?.[contentType]?.schema ?? {};
  if (contentType === "application/json") expectValid(`openapi${$ref}`, reply.body, where);
  const limited = isLimited && "ratelimit-limit" in (response?.headers ?? {});
  expect(reply.headers.has("ratelimit-limit"), `${where} ratelimit headers`).toBe(limited);
  expect(reply.headers.has("www-authenticate"), `${where} www-authenticate`).toBe(reply.status === 401);
  if (reply.status === 429) expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
}

/** Expects an error with this status, this code, and this text in its message. */
export function expectError(
  { status, body }: Pick<Reply, "status" | "body">,
  expected: number,
  code: string,
  text: string | RegExp = "",
): void {
  expect([status, body?.code], JSON.stringify(body)).toEqual([expected, code]);
  expect(body.message).toMatch(text);
}

let keyCount = 0;

export async function openServer(options: BenchOptions = {}) {
  const bench = await openBench(options);
  const { app } = createApp(bench.appliance);
  const [testKey, liveKey, merchant] = [
    await bench.makeKey("test"),
    await bench.makeKey("live"),
    await bench.makeMerchant(),
  ];

  async function request(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const key = sent.key === undefined ? testKey : sent.key;
    const hasBody = sent.raw !== undefined || sent.body !== undefined;
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(hasBody ? { "content-type": "application/json" } : {}),
      ...sent.headers,
    };
    const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await app.request(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      bytes,
      body: isJson ? JSON.parse(text) : undefined,
    };
    expectDescribed(method, path, reply, bench.appliance.config.rateLimit.requests > 0);
    return reply;
  }

  const get = (path: string, sent?: Sent) => request("GET", path, sent);
  const read = async (path: string, sent?: Sent): Promise<Reply["body"]> => {
    const { status, body } = await get(path, sent);
    expect(status, path).toBe(200);
    return body.data;
  };
  const post = (path: string, body: unknown, sent: Sent = {}) => {
    keyCount += 1;
    const headers = { "idempotency-key": `key-${keyCount}`, ...sent.headers };
    return request("POST", path, { ...sent, ...(sent.raw === undefined ? { body } : {}), headers });
  };
  const issue = (extra: Record<string, unknown> = {}, sent: Sent = {}) =>
    post("/api/v1/documents", buildIssueBody(merchant, extra), sent);
  return {
    ...bench,
    testKey,
    liveKey,
    merchant,
    request,
    get,
    /** The `data` of a 200. */
    read,
    /** With a new Idempotency-Key unless one is given. */
    post,
    /** Posts an ordinary document of the merchant. */
    issue,
    /** The same, and returns the document once the queue has nothing due. */
    async issued(extra: Record<string, unknown> = {}, sent: Sent = {}): Promise<Reply["body"]> {
      const { status, body } = await issue(extra, sent);
      expect([status, body.message]).toEqual([201, undefined]);
      await bench.settle();
      const { key = testKey } = sent;
      return read(`/api/v1/documents/${body.data.id}`, { key });
    },
  };
}

export type Server = Awaited<ReturnType<typeof openServer>>;
