/**
 * Sends malformed requests to every operation: never a 5xx, never a hang, always a well-formed error. What is barely HTTP is
 * tested in server/listening/framing.
 * `FISCAL_FUZZ_SEED=7 vitest run test/acceptance/fuzz.test.ts` generates different ones.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../server/app.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { openServer, type Reply, type Server } from "../helpers/http.ts";
import { type Ids, MARKER, mutate, type Outgoing, type Random } from "../helpers/malformed-requests.ts";
import { playNetwork } from "../helpers/played-network.ts";
import { seeded } from "../helpers/seeded.ts";
import { createStage, type Stage } from "../helpers/valid-requests.ts";
import { forAllTests } from "../helpers/set-up.ts";

const SEED = Number(process.env["FISCAL_FUZZ_SEED"] ?? "20261121");
/** About forty per operation. */
const REQUESTS = 1500;
/** After this many requests an operation gets new objects, because the previous ones are archived, cancelled or connected. */
const REQUESTS_A_SCENE = 25;
const DEADLINE_MS = 2000;

const NO_LIMITS = {
  FISCAL_RATE_LIMIT__REQUESTS: "0",
  FISCAL_RATE_LIMIT__LOOKUPS: "0",
  FISCAL_RATE_LIMIT__FAILED_AUTH: "0",
  // Undeliverable documents fail at once, so that there is something to retry.
  FISCAL_ISSUING__DELAYS_SECONDS: "[0]",
};

const operations = OPERATIONS;

async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  });
  try {
    const result = await Promise.race([work, late]);
    // A request that blocks the event loop also blocks the timer.
    expect(performance.now() - startedAt, "milliseconds").toBeLessThan(DEADLINE_MS);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

/** docs/contract.md#error-object: exactly these fields. */
function expectErrorShape(body: unknown): void {
  expect(body).toEqual({
    code: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/./),
    provider_code: body === null ? null : (body as { provider_code: unknown }).provider_code,
    provider_message: (body as { provider_message: unknown }).provider_message,
    retryable: expect.any(Boolean),
  });
}

function expectRefusalOrSuccess({ status, headers, text, body }: Reply): void {
  expect(status).toBeLessThan(500);
  expect(headers.get("x-request-id")).toMatch(/./);
  if (status < 400) return;
  expect(headers.get("content-type")).toBe("application/json");
  expectErrorShape(body);
  expect(text).not.toContain(MARKER);
}

/** Everything needed to repeat a request. */
function describeRequest({ method, path, headers, body }: Outgoing): string {
  const text = body?.toString() ?? "";
  const isText = body === null || Buffer.from(text).equals(body);
  const shown = isText ? text : `base64 ${body.toString("base64")}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path}`, ...lines, "", shown.slice(0, 5000)].join("\n");
}

describe("every operation", () => {
  let server: Server;
  let stage: Stage;
  const network = forAllTests(playNetwork);
  beforeAll(async () => {
    server = await openServer({ env: { ...NO_LIMITS, ...network.env } });
    stage = createStage(server);
  });
  afterAll(() => server.close());

  function send({ method, path, headers, body }: Outgoing): Promise<Reply> {
    const { pathname: whole, search } = new URL(path, "http://localhost");
    // The router ignores a trailing slash; the description has only paths without one.
    const pathname = whole.replace(/(?<=.)\/+$/, "");
    const hasBody = body !== null && !/^(get|head)$/i.test(method);
    return server.request(method, pathname + search, {
      key: null,
      headers,
      ...(hasBody ? { raw: new Uint8Array(body) } : {}),
    });
  }

  test.each(operations.map(({ id }) => id))("%s has a valid request", async (id) => {
    const operation = operations.find((known) => known.id === id)!;
    const { status, text } = await send(await stage.prepare(operation, "test"));
    expect([status, text.slice(0, 500)]).toEqual([operation.response.status, expect.anything()]);
  });

  async function idsOf(mode: "test" | "live"): Promise<string[]> {
    const ids: string[] = [];
    for (const operation of operations.filter(
      ({ path, method }) => method === "GET" && path.endsWith("{id}"),
    )) {
      const { path } = await stage.prepare(operation, mode);
      ids.push(path.split("/").at(-1)!);
    }
    return ids;
  }

  async function attack(
    random: Random,
    ids: Ids,
    index: number,
    operation: Operation,
    base: Outgoing,
  ): Promise<void> {
    const headers = {
      ...base.headers,
      ...(operation.idempotency === "none" ? {} : { "idempotency-key": `fuzz-${index}` }),
    };
    const { request, steps } = mutate(random, { ...base, headers }, ids);
    try {
      expectRefusalOrSuccess(await withinDeadline(send(request)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `seed ${SEED}, request ${index}, ${operation.id}, ${steps.join(" + ")}: ${reason}\n${describeRequest(request)}`,
        { cause: error },
      );
    }
  }

  test(`rejects ${REQUESTS} malformed requests without a 5xx`, async () => {
    const random = seeded(SEED);
    const ids = { own: await idsOf("test"), foreign: await idsOf("live") };
    const bases = new Map<Operation, Outgoing>();
    const failures: string[] = [];
    for (let index = 0; index < REQUESTS; index += 1) {
      const operation = operations[index % operations.length]!;
      const round = Math.floor(index / operations.length);
      if (round % REQUESTS_A_SCENE === 0) bases.set(operation, await stage.prepare(operation, "test"));
      await attack(random, ids, index, operation, bases.get(operation)!).catch((error: Error) =>
        failures.push(error.message),
      );
    }
    expect(failures.slice(0, 20).join("\n\n")).toBe("");
    expect(server.logged.filter((line) => line.startsWith("error:"))).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    await Promise.all(operations.map(async (operation) => send(await stage.prepare(operation, "test"))));
  });
});
