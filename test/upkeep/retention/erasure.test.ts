import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eraseTaxId } from "../../../src/upkeep/retention/erase-tax-number.ts";
import { buildIssueBody } from "../../helpers/appliance.ts";
import { openServer } from "../../helpers/http.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const CUSTOMER = "094012834";
const OTHER = "876543210";

const server = forEachTest(openServer);

async function issue(customer: string, scene = "issued"): Promise<string> {
  const body = buildIssueBody(server.merchant, { metadata: { sandbox: scene } });
  (body["document"] as { customer: { tax_id: { code: string } } }).customer.tax_id.code = customer;
  const answer = await server.post("/api/v1/documents", body);
  await server.settle();
  return answer.body.data.id;
}

const get = async (path: string) => (await server.get(`/api/v1/${path}`)).body.data;

async function bodiesOf(document: string): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (const kind of ["requests", "provider_calls"]) {
    for (const { id } of await get(`${kind}?document=${document}&limit=100`)) {
      const { request, response, bodies_purged_at: at } = await get(`${kind}/${id}`);
      bodies.push(at === null ? [request, response] : "purged");
    }
  }
  return bodies;
}

/** Entries of the log that are not written yet cannot be erased. */
async function erase(taxId: string, dryRun = false) {
  await server.appliance.store.flush();
  return eraseTaxId(server.appliance, taxId, { dryRun });
}

test("counts every call of an exchange with several documents, also in a later portion of rows", async () => {
  const body = buildIssueBody(server.merchant);
  await Promise.all(Array.from({ length: 130 }, () => server.post("/api/v1/documents", body)));
  await server.settle();
  const planned = await erase(CUSTOMER, true);
  expect(planned.provider_calls).toBe(260);
  expect(await erase(CUSTOMER)).toEqual({ ...planned, dry_run: false });
  expect(await erase(CUSTOMER)).toMatchObject({ provider_calls: 0 });
});

test("removes bodies and messages about a number, but neither the fiscal core nor anything about others", async () => {
  const about = await issue(CUSTOMER);
  const rejected = await issue(CUSTOMER, "rejected");
  const other = await issue(OTHER);
  await server.post(
    "/api/v1/documents/preview",
    (buildIssueBody(server.merchant) as { document: object }).document,
  );
  const before = await get(`documents/${about}`);
  const otherBodies = await bodiesOf(other);

  const planned = await erase(`EL ${CUSTOMER}`, true);
  expect(planned).toMatchObject({ object: "erasure", dry_run: true, documents: 1 });
  expect(await bodiesOf(about)).not.toContain("purged");

  const done = await erase(`EL ${CUSTOMER}`);
  expect(done.provider_calls).toBe(planned.provider_calls);
  expect(done).toMatchObject({ dry_run: false, documents: 1, events: 1 });
  // Two that issued, the preview, and those that read the documents' bodies since.
  expect(done.requests).toBeGreaterThanOrEqual(3);
  expect(new Set(await bodiesOf(about))).toEqual(new Set(["purged"]));
  expect(await get(`documents/${about}`)).toEqual(before);
  expect((await get(`documents/${rejected}`)).error).toMatchObject({
    code: "provider_rejected",
    provider_message: null,
  });
  expect(await bodiesOf(other)).toEqual(otherBodies);
});

test("removes as much in writes that run again because the connection was lost", async () => {
  const about = await issue(CUSTOMER);
  const { store } = server.appliance;
  await store.flush();
  const lost = new Error("The connection was lost");
  const write: typeof store.write = async (unit) => {
    const first = store.write(async (trx) => {
      await unit(trx);
      throw lost;
    });
    await expect(first).rejects.toBe(lost);
    return store.write(unit);
  };
  await eraseTaxId({ ...server.appliance, store: { ...store, write } }, CUSTOMER, { dryRun: false });
  expect(new Set(await bodiesOf(about))).toEqual(new Set(["purged"]));
});

test("removes also what is logged while it runs", async () => {
  const { store } = server.appliance;
  const mention = async (externalId: string) => {
    await server.post("/api/v1/merchants", { external_id: externalId, name: `ΑΦΜ ${CUSTOMER}` });
    await store.flush();
  };
  await mention("before");
  let isLogged = false;
  const write: typeof store.write = async (unit) => {
    const result = await store.write(unit);
    if (!isLogged) await mention("meanwhile");
    isLogged = true;
    return result;
  };
  const run = { ...server.appliance, store: { ...store, write } };
  expect((await eraseTaxId(run, CUSTOMER, { dryRun: false })).requests).toBe(2);
});

test("finds a customer's documents behind one whose contents cannot be decrypted, and warns about that one", async () => {
  const unreadable = await issue(OTHER);
  await issue(CUSTOMER, "rejected");
  await server.appliance.store.write(async (trx) => {
    const sealed = Buffer.alloc(99);
    await trx.query((db) =>
      db.updateTable("document_inputs").set({ sealed }).where("document_id", "=", unreadable),
    );
  });
  expect(await erase(CUSTOMER)).toMatchObject({ documents: 1 });
  expect(server.logged.join("\n")).toContain("whose contents cannot be decrypted were not searched");
});

test("finds it in a query, and does not take letters of another number for a country", async () => {
  await server.get("/api/v1/tax_ids/lookup?country=GR&code=EL%20094%20012%20834");
  expect((await erase(`AB${CUSTOMER}`, true)).requests).toBe(0);
  expect((await erase(CUSTOMER)).requests).toBe(1);
});

test("rejects text that is not a tax number, without repeating it", async () => {
  await expect(erase("%' or 1=1")).rejects.toThrow(/must be a tax number/);
});

test("leaves no removed text in the database file", async () => {
  await issue(CUSTOMER, "rejected");
  const { error } = await get(`documents/${(await get("documents"))[0].id}`);
  const message = error.provider_message as string;
  const isInFile = () =>
    readFileSync(server.appliance.config.storage.database).includes(Buffer.from(message));
  server.appliance.store.checkpoint();
  expect(isInFile()).toBe(true);
  await erase(CUSTOMER);
  server.appliance.store.checkpoint();
  expect(isInFile()).toBe(false);
});

test("of requests that were logged together, only those about the number lose their bodies", async () => {
  const names = [`ΑΦΜ ${CUSTOMER}`, "Άλλος", `${CUSTOMER}`];
  for (const [index, name] of names.entries())
    await server.post("/api/v1/merchants", { external_id: `together-${index}`, name });
  expect((await erase(CUSTOMER)).requests).toBe(2);
  const { data } = (await server.get("/api/v1/requests?operation_id=createMerchant&limit=3")).body;
  const logged = await Promise.all(
    data.map(async ({ id }: { id: string }) => (await server.get(`/api/v1/requests/${id}`)).body.data),
  );
  expect(logged.map(({ request }) => request?.body.name ?? null)).toEqual([null, "Άλλος", null]);
  expect(logged.map((one) => one.bodies_purged_at !== null)).toEqual([true, false, true]);
});
