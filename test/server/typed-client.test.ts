/** Compiles a strict client from the OpenAPI description, as those who integrate generate it. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { expect, test } from "vitest";
import { makeFolder } from "../helpers/folder.ts";
import { OPERATIONS } from "../../server/app.ts";
import { buildOpenApi } from "../../server/openapi/build-openapi.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");

/** The JSON bodies of the walk-through: the merchant, then the invoice. */
async function bodiesOfWalkthrough(): Promise<string[]> {
  const page = await readFile(join(ROOT, "docs/api.md"), "utf8");
  const merchant = /-d '(\{.+\})'/.exec(page)?.[1];
  const invoice = /<<END\n([^]+?)\nEND\n/.exec(page)?.[1];
  expect([typeof merchant, typeof invoice]).toEqual(["string", "string"]);
  return [merchant!, invoice!.replace('"$MERCHANT"', "merchant.data.data.id")];
}

/** Uses what an integration uses first; the types alone are checked. */
function clientWith([merchant, invoice]: readonly string[]): string {
  return `import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./api.ts";

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8787" });
const header = { "Idempotency-Key": "order-4711" };

export async function walkThrough(): Promise<string | null> {
  const merchant = await client.POST("/api/v1/merchants", { params: { header }, body: ${merchant} });
  if (merchant.error !== undefined) throw new Error(merchant.error.message);
  const issued = await client.POST("/api/v1/documents", { params: { header }, body: ${invoice} });
  if (issued.error !== undefined) throw new Error(issued.error.retryable ? "later" : issued.error.code);
  const { id } = issued.data.data;
  const { data } = await client.GET("/api/v1/documents/{id}", { params: { path: { id } } });
  return data?.data.mark ?? null;
}

/** The kind of the snapshot narrows it. */
export function markOf({ data }: components["schemas"]["Event"]): string | null {
  return data.object.object === "document" ? data.object.mark : null;
}

type Delivery = webhooks["connection.invalid"]["post"]["requestBody"]["content"]["application/json"];
export const statusOf = (delivery: Delivery) => delivery.data.object.object;
`;
}

test("a strict TypeScript client compiles with the bodies of the walk-through", async () => {
  const folder = makeFolder();
  await mkdir(join(folder, "node_modules"));
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    await symlink(join(ROOT, "test/node_modules", name), join(folder, "node_modules", name));
  const description = JSON.parse(JSON.stringify(buildOpenApi(OPERATIONS))) as OpenAPI3;
  await writeFile(join(folder, "api.ts"), astToString(await openapiTS(description)));
  await writeFile(join(folder, "client.ts"), clientWith(await bodiesOfWalkthrough()));
  const flags =
    "--noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --module nodenext";
  const options = [...flags.split(" "), "--target", "es2023", "--lib", "es2023,dom", "client.ts"];
  const compiled = await promisify(execFile)(process.execPath, [COMPILER, ...options], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");
}, 60_000);
