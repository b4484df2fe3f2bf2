import { createAvailability, createSlots } from "../../src/issuing/issuing-slots.ts";
import { rescueExpired } from "../../src/issuing/rescue.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { auditNumbering } from "../../src/numbering/audit-numbers.ts";
import { listMarkProblems } from "../../src/console/overview.ts";
import { audit } from "../../src/upkeep/audit/audit-journal.ts";
import { listEvents } from "../../src/journal/event-object.ts";
import { getProviderCall, listProviderCalls } from "../../src/logs/read-logs.ts";
import { type Bench, buildIssueBody, openBench } from "../helpers/appliance.ts";
import { buildDocument, buildLine } from "../helpers/documents.ts";
import { createScriptedProvider, ERROR, REFUSED, type ScriptOptions } from "../helpers/scripted-provider.ts";

const benches: Bench[] = [];
afterEach(async () => {
  await Promise.all(benches.splice(0).map((bench) => bench.close()));
});

let marks = 0;
const issued = () => {
  marks += 1;
  return { kind: "issued" as const, mark: `5${String(marks).padStart(14, "0")}`, uid: null, qrUrl: null };
};

const rejected = () => ({ kind: "rejected" as const, error: ERROR });

/** No document is issued without a MARK. */
const unstorable = () => ({ ...issued(), mark: null as never });

/** Opens an appliance whose merchant is connected to a scripted provider. */
async function setup(options: ScriptOptions = {}) {
  const provider = createScriptedProvider(options);
  const bench = await openBench({ adapters: [provider.adapter] });
  benches.push(bench);
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  await bench.storeConnection({
    merchant,
    provider: provider.adapter.provider,
    credentials: { key: "hidden" },
  });
  const accept = (extra = {}) => bench.acceptFor(merchant, extra);
  const get = bench.see;
  const stagesOf = async (ids: readonly string[]) =>
    (await Promise.all(ids.map(get))).map(({ stage, status }) => stage ?? status);
  const calls = () =>
    appliance.store.read.query((db) => db.selectFrom("provider_calls").selectAll().orderBy("id"));
  return { ...bench, provider, accept, get, stagesOf, calls };
}

/** Sends the first document, whose answer comes when the result is called. */
async function holdSend(
  { provider, appliance }: Pick<Awaited<ReturnType<typeof setup>>, "provider" | "appliance">,
  answer: () => ReturnType<typeof issued> | ReturnType<typeof rejected>,
): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  provider.expect({ asked: "issue", answer: () => held.then(answer) });
  appliance.issuing.poke();
  await expect.poll(() => provider.asked).toEqual(["issue 1"]);
  return release;
}

describe("a send", () => {
  test("carries the waiting documents of a counter together, in order of acceptance and number", async () => {
    const { accept, settle, provider, get } = await setup({ issueBatchMax: 3 });
    const ids = [await accept(), await accept(), await accept(), await accept()];
    for (let count = 0; count < ids.length; count += 1) provider.expect({ asked: "issue", answer: issued });
    await settle();
    expect(provider.asked).toEqual(["issue 1 2 3", "issue 4"]);
    expect((await Promise.all(ids.map(get))).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  test("is the only one in flight for its counter; other counters do not wait", async () => {
    const { accept, settle, provider, appliance } = await setup({ issueBatchMax: 1 });
    await accept();
    const release = await holdSend({ provider, appliance }, issued);
    await accept();
    await accept({ series: "OTHER" });
    provider.expect({ asked: "issue", answer: issued });
    appliance.issuing.poke();
    await expect.poll(() => provider.asked).toEqual(["issue 1", "issue 1"]);
    provider.expect({ asked: "issue", answer: issued });
    release();
    await settle();
    expect(provider.asked).toEqual(["issue 1", "issue 1", "issue 2"]);
  });
});

test("the documents of a batch are queried at the sandbox in one exchange", async () => {
  const bench = await openBench();
  benches.push(bench);
  const { appliance } = bench;
  const merchant = await bench.makeMerchant();
  for (let count = 0; count < 2; count += 1) await bench.acceptFor(merchant);
  await bench.settle();
  const calls = (await listProviderCalls(appliance, "test", { limit: 10 })).data;
  const queries = calls.filter(({ operation }) => operation === "status");
  const shown = await Promise.all(queries.map(({ id }) => getProviderCall(appliance, "test", id)));
  expect(new Set(shown.map(({ document }) => document)).size).toBe(2);
  const documents = await Promise.all(shown.map(({ document }) => bench.see(document!)));
  const invoices = documents.toReversed().map(({ uid, mark }) => ({ invoiceUid: uid, invoiceMark: mark }));
  for (const { response } of shown) expect(response).toMatchObject({ status: 200, body: { invoices } });
});

describe("the sandbox", () => {
  /** Issues one document for each of `extras`, and returns what the log shows of each send, oldest first. */
  async function send(extras: readonly Record<string, unknown>[], merchants = 1) {
    const bench = await openBench();
    benches.push(bench);
    const { appliance } = bench;
    const ids: string[] = [];
    for (let count = 0; count < merchants; count += 1) ids.push(await bench.makeMerchant(`shop ${count}`));
    for (const [index, extra] of extras.entries()) await bench.acceptFor(ids[index % merchants]!, extra);
    await bench.settle();
    const calls = (await listProviderCalls(appliance, "test", { limit: 100 })).data;
    const sends = calls.filter(({ operation }) => operation === "issue").toReversed();
    return Promise.all(sends.map(({ id }) => getProviderCall(appliance, "test", id)));
  }

  const numbersIn = ({ request }: { request?: unknown }) =>
    [...JSON.stringify(request).matchAll(/"aa":"(\d+)"/g)].map(([, number]) => Number(number));
  const inTurn = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);

  test("gets up to 16 documents in a message, but alone those whose scene is about a message", async () => {
    const scenes: string[] = Array.from({ length: 20 }, () => "issued");
    scenes[3] = "unavailable_once";
    scenes[5] = "rejected";
    const shown = await send(scenes.map((sandbox) => ({ metadata: { sandbox } })));
    const first = [1, 2, 3, ...inTurn(5, 17)];
    const expected = inTurn(1, 20).map((number) =>
      number === 4 ? [4] : number < 18 ? first : inTurn(18, 20),
    );
    expect(shown.slice(0, 20).map(numbersIn)).toEqual(expected);
    expect(shown[3]!.response).toMatchObject({ status: 503 });
    const answers = first.map((number) => ({ statusCode: number === 6 ? "ValidationError" : "Accepted" }));
    expect(shown[0]!.response).toMatchObject({ status: 200, body: { response: answers } });
    expect(shown.flatMap(({ error }, index) => (error === null ? [] : [index]))).toEqual([3, 5]);
  });

  test("gets no document in a message of another supplier", async () => {
    const suppliers = ["123456783", "094014201"];
    const extras = inTurn(0, 5).map((index) => {
      const { document } = buildIssueBody("") as { document: object };
      const supplier = { tax_id: { country: "GR", code: suppliers[index % 2]! } };
      return { document: { ...document, supplier } };
    });
    for (const [index, { request }] of (await send(extras, 2)).entries()) {
      const issuers = [...JSON.stringify(request).matchAll(/"issuer":\{"vatNumber":"(\d+)"/g)];
      expect(issuers.map(([, issuer]) => issuer)).toEqual(Array(3).fill(suppliers[index % 2]));
    }
  });

  test("is asked by the same claim for the MARKs of what it accepted, but not while the appliance is held", async () => {
    const bench = await openBench();
    benches.push(bench);
    const sandbox = bench.appliance.providers.get("sandbox");
    const { issue } = sandbox;
    const spy = vi.spyOn(sandbox, "issue").mockImplementation(async (documents, call) => {
      if (spy.mock.calls.length === 2) await bench.hold();
      return issue(documents, call);
    });
    const merchant = await bench.makeMerchant();
    const expected = [{ status: "issued" }, { stage: "awaiting_mark" }];
    for (const shown of expected) {
      const id = await bench.acceptFor(merchant);
      await bench.settle();
      expect(await bench.see(id)).toMatchObject(shown);
    }
  });

  test("is asked again by whoever takes over a claim that died after its send", async () => {
    const bench = await openBench();
    benches.push(bench);
    const { appliance } = bench;
    const sandbox = appliance.providers.get("sandbox");
    const { status } = sandbox;
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    vi.spyOn(sandbox, "status").mockImplementationOnce(async (documents, call) => {
      asked.resolve();
      await released.promise;
      return status(documents, call);
    });
    const id = await bench.acceptFor(await bench.makeMerchant());
    appliance.issuing.poke();
    await asked.promise;
    expect(await rescueFromElsewhere(bench)).toBe(0);
    bench.advance(61_000);
    expect(await rescueFromElsewhere(bench)).toBe(1);
    expect(await bench.see(id)).toMatchObject({ stage: "awaiting_mark", number: 1 });
    released.resolve();
    await bench.settle();
    expect(await bench.see(id)).toMatchObject({ status: "issued", number: 1 });
    const calls = (await listProviderCalls(appliance, "test", { limit: 10 })).data;
    const made = calls.toReversed().map(({ operation, outcome }) => `${operation} ${outcome}`);
    expect(made).toEqual(["issue ok", "status unknown", "status ok", "status ok"]);
    const events = (await listEvents(appliance, "test", { document: id, limit: 10 })).data;
    expect(events.map(({ type }) => type).toReversed()).toEqual(["document.created", "document.issued"]);
  });

  test("gets long documents in messages that the log keeps whole", async () => {
    const document = buildDocument("1.1", { lines: Array.from({ length: 80 }, () => buildLine()) });
    const shown = await send(Array.from({ length: 5 }, () => ({ document })));
    expect(shown.map(numbersIn)).toEqual([[1, 2], [1, 2], [3, 4], [3, 4], [5]]);
    for (const { request } of shown) expect(JSON.stringify(request)).not.toContain("truncated");
  });
});

describe("outcomes", () => {
  test("an adapter that throws during a send has an unknown outcome", async () => {
    const { accept, settle, get, logged } = await setup();
    const id = await accept();
    await settle();
    expect(await get(id)).toMatchObject({ stage: "reconciling" });
    expect(logged.join("\n")).toContain("the adapter failed; outcome unknown");
  });

  test("a number that is taken at the provider is skipped, and the next is sent", async () => {
    const { accept, settle, provider, get, appliance } = await setup();
    const id = await accept();
    provider.expect({ asked: "issue", answer: () => ({ kind: "number_taken", error: ERROR }) });
    provider.expect({ asked: "issue", answer: issued });
    await settle();
    expect(await get(id)).toMatchObject({ status: "issued", number: 2 });
    const { counters, holes } = await auditNumbering(appliance, { mode: "test" });
    expect(holes).toEqual([]);
    expect(counters[0]!.numbers).toMatchObject([
      { number: 1, state: "passed", document: id },
      { number: 2, state: "issued", document: id },
    ]);
  });
});

/** Rescues as another process would: it considers this one's claims dead when their leases have run out. */
function rescueFromElsewhere({ appliance }: Bench): Promise<number> {
  return rescueExpired(appliance, new Set());
}

test("the documents of a batch go each its own way, and each has its event in the chain", async () => {
  const { accept, settle, provider, get, appliance } = await setup();
  const ids = [await accept(), await accept(), await accept(), await accept(), await accept()];
  const accepted = () => ({ kind: "accepted" as const, providerRef: "r", uid: null, qrUrl: null });
  const lost = () => ({ kind: "unknown" as const, error: ERROR });
  for (const answer of [issued, accepted, rejected, lost, issued])
    provider.expect({ asked: "issue", answer });
  provider.expect({ asked: "status", answer: issued });
  await settle();
  const documents = await Promise.all(ids.map(get));
  expect(documents.map(({ stage, status }) => stage ?? status)).toEqual([
    "issued",
    "issued",
    "rejected",
    "reconciling",
    "issued",
  ]);
  expect(documents.map(({ number }) => number)).toEqual([1, 2, null, 4, 5]);
  const { data: events } = await listEvents(appliance, "test", { limit: 100 });
  for (const document of documents.filter(({ stage }) => stage === null)) {
    const last = events.find(({ data }) => data.object.id === document.id);
    expect(last).toMatchObject({ type: `document.${document.status}`, data: { object: document } });
  }
  expect(await audit(appliance.store.read, appliance.store.cipher)).toMatchObject({
    intact: true,
    problems: [],
  });
});

describe("a worker that died", () => {
  /** Claims what is due as another process would, and does nothing more. */
  async function claimAndDie({ appliance }: Bench) {
    const { claimDue } = await import("../../src/issuing/claim-groups.ts");
    const slots = createSlots(8, createAvailability(), () => []);
    await claimDue(appliance, slots, [appliance.providers.get("provider_b")]);
  }

  test("during a send leaves a document that is reconciled, not sent again", async () => {
    const bench = await setup();
    const id = await bench.accept();
    await claimAndDie(bench);
    expect(await bench.get(id)).toMatchObject({ stage: "submitting", number: 1 });
    bench.advance(60_000);
    expect(await bench.appliance.issuing.rescue()).toBe(0);
    bench.advance(1);
    expect(await bench.appliance.issuing.rescue()).toBe(1);
    expect(await bench.get(id)).toMatchObject({ stage: "reconciling", number: 1 });
    expect(await bench.calls()).toMatchObject([{ operation: "issue", outcome: "unknown" }]);
    bench.provider.expect({ asked: "reconcile", answer: issued });
    bench.advance(2300);
    await bench.settle();
    expect(await bench.get(id)).toMatchObject({ status: "issued", number: 1 });
    expect(bench.provider.asked).toEqual(["reconcile 1"]);
  });

  test("leaves a document that is rescued only once the appliance is not held", async () => {
    const bench = await setup();
    const id = await bench.accept();
    await claimAndDie(bench);
    await bench.hold();
    bench.advance(61_000);
    expect(await bench.appliance.issuing.rescue()).toBe(0);
    expect(await bench.get(id)).toMatchObject({ stage: "submitting", number: 1 });
  });

  test("and comes back after the rescue only records its call", async () => {
    const bench = await setup();
    const id = await bench.accept();
    const release = await holdSend(bench, issued);
    bench.advance(61_000);
    expect(await rescueFromElsewhere(bench)).toBe(1);
    release();
    await bench.settle();
    expect(await bench.get(id)).toMatchObject({ stage: "reconciling", mark: null });
    expect(bench.logged.join("\n")).toContain("after the document was rescued");
    expect((await bench.calls()).map(({ outcome }) => outcome)).toEqual(["unknown", "ok"]);
  });
});

describe("a failure around a document", () => {
  test.each([
    ["decisions", { decided_json: "{" }],
    ["contents", { sealed: Buffer.alloc(99) }],
  ])("a document with damaged %s is taken out of the queue and blocks no other", async (_what, damage) => {
    const { accept, settle, provider, get, appliance, logged } = await setup();
    const damaged = await accept();
    const sound = await accept();
    await appliance.store.write(async (trx) => {
      await trx.query((db) =>
        db.updateTable("document_inputs").set(damage).where("document_id", "=", damaged),
      );
    });
    provider.expect({ asked: "issue", answer: issued });
    await settle();
    expect(await get(sound)).toMatchObject({ status: "issued", number: 1 });
    expect(await get(damaged)).toMatchObject({ status: "pending", stage: "queued", number: null });
    expect(logged.join("\n")).toContain("a document was taken out of the queue");
  });

  test("an outcome that cannot be stored is left to the rescuer, even while the process lives", async () => {
    const bench = await setup({ issueBatchMax: 1 });
    const id = await bench.accept();
    bench.provider.expect({ asked: "issue", answer: unstorable });
    await bench.settle();
    expect(await bench.get(id)).toMatchObject({ stage: "submitting" });
    expect(bench.logged.filter((line) => line.includes("document left to the rescuer"))).toHaveLength(1);
    await bench.appliance.issuing.renew();
    bench.advance(61_000);
    expect(await bench.appliance.issuing.rescue()).toBe(1);
    expect(await bench.get(id)).toMatchObject({ stage: "reconciling" });
  });

  test("an outcome that cannot be stored affects no other of its batch", async () => {
    const { accept, settle, provider, stagesOf, calls } = await setup();
    const ids = [await accept(), await accept(), await accept()];
    for (const answer of [issued, unstorable, issued]) provider.expect({ asked: "issue", answer });
    await settle();
    expect(await stagesOf(ids)).toEqual(["issued", "submitting", "issued"]);
    expect((await calls()).map(({ document_id: id }) => id)).toEqual([ids[0], ids[2]]);
  });

  test("a late outcome of an earlier send is not taken for that of a later one", async () => {
    const bench = await setup({ settle: { askings: 1, seconds: 0 } });
    const id = await bench.accept();
    const release = await holdSend(bench, rejected);
    bench.advance(61_000);
    await rescueFromElsewhere(bench);
    const { promise: heldSecond, resolve: releaseSecond } = Promise.withResolvers<void>();
    bench.provider.expect({ asked: "reconcile", answer: () => ({ kind: "absent" }) });
    bench.provider.expect({ asked: "issue", answer: () => heldSecond.then(issued) });
    bench.advance(2300);
    bench.appliance.issuing.poke();
    await expect.poll(() => bench.provider.asked).toEqual(["issue 1", "reconcile 1", "issue 1"]);
    release();
    await expect.poll(() => bench.logged.join("\n")).toContain("after the document was rescued");
    releaseSecond();
    await bench.settle();
    expect(await bench.get(id)).toMatchObject({ status: "issued", number: 1 });
  });
});

test("waiting for a batch ends when the remaining documents wait for their connection", async () => {
  const { accept, provider, appliance, get } = await setup();
  const ids = [await accept(), await accept()];
  for (let count = 0; count < 2; count += 1) {
    provider.expect({ asked: "issue", answer: () => ({ kind: "credentials_refused", error: REFUSED }) });
  }
  const seen: number[] = [];
  await appliance.issuing.drain({
    documentIds: new Set(ids),
    onProgress: ({ done }) => void seen.push(done),
  });
  expect(seen.at(-1)).toBe(2);
  for (const id of ids) expect(await get(id)).toMatchObject({ status: "pending", stage: "queued" });
});

// docs/contract.md#mark-of-another-document
describe("a MARK that another document has", () => {
  const taken = { kind: "issued" as const, mark: "400000000000001", uid: null, qrUrl: null };

  async function setupWithMark() {
    const bench = await setup({ issueBatchMax: 1 });
    const first = await bench.accept();
    bench.provider.expect({ asked: "issue", answer: () => taken });
    await bench.settle();
    return { ...bench, first };
  }

  test.each(["issue", "status"] as const)("is not accepted from %s, and a person is told", async (asked) => {
    const { accept, settle, provider, get, logged, advance, appliance, first } = await setupWithMark();
    const id = await accept();
    if (asked === "issue") provider.expect({ asked, answer: () => taken });
    else {
      const accepted = { kind: "accepted" as const, providerRef: "ref", uid: null, qrUrl: null };
      provider.expect({ asked: "issue", answer: () => accepted });
      provider.expect({ asked, answer: () => taken });
    }
    await settle();
    expect(await get(id)).toMatchObject({ status: "pending", stage: "reconciling", mark: null, error: null });
    expect(await get(first)).toMatchObject({ status: "issued", mark: taken.mark });
    expect(logged.filter((line) => line.startsWith("error") && line.includes(taken.mark))).toHaveLength(1);
    expect(await listMarkProblems(appliance, "test", 5)).toMatchObject([
      { document: { id }, problem: { en: expect.stringContaining("another document has") } },
    ]);

    // It is looked up until the provider reports a MARK of its own, first after 2 s (docs/contract.md#polling).
    for (const pauseMs of [2_200, 2_200, 4_400]) {
      provider.expect({ asked: "reconcile", answer: () => taken });
      advance(pauseMs);
      await settle();
      expect({ ...(await get(id)), unused: provider.left() }).toMatchObject({
        stage: "reconciling",
        unused: 0,
      });
    }
    provider.expect({ asked: "reconcile", answer: issued });
    advance(8_800);
    await settle();
    expect(await get(id)).toMatchObject({ status: "issued" });
    expect(provider.left()).toBe(0);
    expect(await listMarkProblems(appliance, "test", 5)).toEqual([]);
  });
});
