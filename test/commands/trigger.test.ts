/** docs/contract.md#trigger, docs/contract.md#sandbox-scenes */
import { beforeEach, expect, test } from "vitest";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { expectRefused, openWorkshop } from "../helpers/program.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openWorkshop);
beforeEach(() => workshop.run("init --yes"));

test.each([
  ["issued", { status: "issued", type: "1.1" }],
  ["rejected", { status: "rejected", error: { code: "provider_rejected", provider_code: "203" } }],
  ["timeout", { status: "issued" }],
] as const)("plays the scene %s and exits with 0", async (scene, outcome) => {
  expect(await workshop.read(`trigger ${scene}`)).toMatchObject({
    ...outcome,
    mode: "test",
    provider: "sandbox",
    metadata: { sandbox: scene },
  });
});

test("issues every type, for one merchant of its own or the one that is named", async () => {
  await workshop.run("merchants add --external-id shop --name Shop --tax-id 094014201".split(" "));
  const documents: DocumentObject[] = [];
  for (const type of ["1.1", "2.1", "5.1", "5.2", "11.1", "11.2"])
    documents.push(await workshop.read(`trigger issued --type ${type}`));
  expect(documents.every(({ status }) => status === "issued")).toBe(true);
  expect(new Set(documents.map(({ merchant }) => merchant)).size).toBe(1);
  const named = await workshop.run("trigger issued --merchant shop --json");
  const shop = await workshop.read<{ id: string }>("merchants show shop");
  expect(named.json()).toMatchObject({ status: "issued", merchant: shop.id });
});

test("stops waiting after --timeout with 5, and leaves the document to a server", async () => {
  const run = await workshop.run("trigger unavailable --timeout 1 --json");
  expect(run.exitCode).toBe(5);
  expect(run.json()).toMatchObject({ status: "pending", stage: "queued" });
  expect(run.stderr).toContain("fiscal documents show doc_");
});

test("issues nothing for a merchant that does not exist", async () => {
  expectRefused(await workshop.run("trigger issued --merchant nobody"), 3, "fiscal merchants list");
  expect(await workshop.list("documents list")).toEqual([]);
});

test("openapi prints the description that a server has at /openapi.json", async () => {
  const run = await workshop.run("openapi");
  expect(run.json()).toMatchObject({ openapi: "3.1.0", paths: { "/api/v1/documents": {} } });
  const [text] = run
    .json<{ paths: Record<string, { post: { description: string } }> }>()
    .paths["/api/v1/documents"]!.post.description.match(/metadata\.sandbox.*/)!;
  for (const scene of ["rejected", "unavailable", "unavailable_once", "timeout", "pending"])
    expect(text).toContain(`\`${scene}\``);
});
