/** Compares a period with the fake authority: each kind of difference, and what a person can settle. */
import { describe, expect, test } from "vitest";
import { cancelSurplus, requestAdoptions } from "../../src/books/reconcile/confirmed-changes.ts";
import {
  reconcile,
  type ReconcileOptions,
  type Reconciliation,
} from "../../src/books/reconcile/reconcile.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { listMails, queueMail } from "../../src/mail/queue-mail.ts";
import { putSettings } from "../../src/merchants/settings.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { uncancelledMarks } from "../helpers/fake-registry/authority.ts";
import { openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openRegistryBench);

const waits: number[] = [];

function compare(options: Partial<ReconcileOptions> = {}): Promise<Reconciliation> {
  waits.length = 0;
  return reconcile(bench.appliance, {
    mode: "test",
    merchantId: undefined,
    from: "2026-11-01",
    through: "2026-11-07",
    signal: undefined,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
}

/** Without the details, and sorted as found. */
const kindsOf = ({ differences }: Reconciliation) =>
  differences.map(({ kind, document, mark }) => ({ kind, document, mark }));

async function issue(count: number, document: Record<string, unknown> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let place = 0; place < count; place += 1) ids.push(await bench.accept(document));
  await bench.processAll(ids);
  return ids;
}

const filingOf = async (id: string) => {
  const { mark } = await bench.get(id);
  return bench.registry.ledger.find((filing) => filing.mark === mark)!;
};

/** Files a copy of the document's filing under the next MARK, as a second send does. */
async function fileAgain(id: string, changes: { uid?: string; gross?: string } = {}): Promise<string> {
  const filing = await filingOf(id);
  const mark = String(BigInt(bench.registry.ledger.at(-1)!.mark) + 500n);
  bench.registry.ledger.push({ ...filing, mark, cancelledByMark: null, ...changes });
  return mark;
}

const calls = () =>
  bench.appliance.store.read.query((db) =>
    db.selectFrom("provider_calls").select(["operation", "purpose", "outcome", "url"]).orderBy("id"),
  );
const rows = () =>
  bench.appliance.store.read.query((db) => db.selectFrom("documents").selectAll().orderBy("id"));

// docs/contract.md#reconcile
describe("a period without differences", () => {
  test("is compared over several pages, with each page logged as a lookup", async () => {
    await issue(5);
    await cancelDocument(bench.appliance, (await issue(1))[0]!, CAUSE);
    const before = (await calls()).length;
    expect(await compare()).toMatchObject({ differences: [], compared: 6, notCompared: [] });
    const made = (await calls()).slice(before);
    expect(
      new Set(made.map(({ operation, purpose, outcome }) => `${operation} ${purpose} ${outcome}`)),
    ).toEqual(new Set(["lookup operation ok"]));
    const methods = made.map(({ url }) => url!.split("/").at(-1));
    expect(methods.filter((method) => method === "RequestTransmittedDocs")).toHaveLength(3);
    expect(methods).toContain("RequestVatInfo");
    expect(methods).toContain("RequestDocs");
  });

  test("has documents with taxes besides VAT, also one whose first send was filed and lost", async () => {
    const taxes = [
      { kind: "withheld", category: 3, base: 100, amount: 20 },
      { kind: "fees", category: 1, amount: 5 },
    ];
    bench.registry.next("SendInvoices", "cut after filing");
    const [lost] = await issue(1, { taxes });
    expect(await bench.get(lost!)).toMatchObject({ status: "issued" });
    await issue(1, { taxes });
    expect(bench.registry.ledger).toHaveLength(2);
    expect(await compare()).toMatchObject({ differences: [], compared: 2, notCompared: [] });
  });

  test("includes documents dated on its first and last day, and leaves out those before and after", async () => {
    const dates = ["2026-11-02", "2026-11-03", "2026-11-09", "2026-11-10"];
    for (const issue_date of dates) await issue(1, { issue_date });
    const result = await compare({ from: "2026-11-03", through: "2026-11-09" });
    expect(result).toMatchObject({ differences: [], compared: 2 });
  });

  test("includes the sandbox, so that it can be tried in test mode", async () => {
    const merchantId = await bench.makeMerchant("unconnected");
    const [id, other] = [
      await bench.accept({}, { merchant: merchantId }),
      await bench.accept({}, { merchant: merchantId }),
    ];
    await bench.processAll([id, other]);
    const agreed = { differences: [], compared: 2, notCompared: [] };
    expect(await compare({ merchantId })).toMatchObject(agreed);
    await bench.appliance.store.write((trx) =>
      trx.query((db) => db.deleteFrom("sandbox_filings").where("document_id", "=", id)),
    );
    expect(kindsOf(await compare({ merchantId }))).toMatchObject([{ kind: "missing_there", document: id }]);
  });
});

describe("differences", () => {
  test("a document that the authority does not list is missing there", async () => {
    const [, id] = await issue(3);
    const { mark } = await filingOf(id!);
    bench.registry.ledger.splice(1, 1);
    expect(kindsOf(await compare())).toEqual([{ kind: "missing_there", document: id, mark }]);
  });

  test("a document that another program filed is missing here, unless it is cancelled", async () => {
    const [id] = await issue(1);
    const mark = await fileAgain(id!, { uid: "A".repeat(40) });
    const result = await compare();
    expect(kindsOf(result)).toEqual([{ kind: "missing_here", document: null, mark }]);
    expect(result.differences[0]!.detail).toEqual({
      en: "not issued here: type 1.1, TIM 1, 2026-11-02, 10.33 EUR",
      el: "δεν εκδόθηκε εδώ: τύπος 1.1, TIM 1, 02/11/2026, 10,33 EUR",
    });
    expect(result.compared).toBe(2);
    bench.registry.ledger.at(-1)!.cancelledByMark = "400008888888888";
    expect(await compare()).toMatchObject({ differences: [] });
  });

  test("a cancellation on one side only is told apart from one on the other", async () => {
    const [there, here] = await issue(2);
    (await filingOf(there!)).cancelledByMark = "400008888888888";
    await cancelDocument(bench.appliance, here!, CAUSE);
    (await filingOf(here!)).cancelledByMark = null;
    expect(kindsOf(await compare())).toMatchObject([
      { kind: "cancelled_there", document: there },
      { kind: "cancelled_here", document: here },
    ]);
  });

  test("other totals under the same MARK differ", async () => {
    const [id] = await issue(1);
    (await filingOf(id!)).gross = "20.33";
    const { differences } = await compare();
    expect(differences).toMatchObject([
      {
        kind: "differs",
        document: id,
        detail: { en: "TIM 1 (2026-11-02): VAT: here 2.00, there 12.00; total: here 10.33, there 20.33" },
      },
    ]);
  });

  test("a refusal by the customer differs, until the document is cancelled", async () => {
    const [id] = await issue(1);
    const { mark } = await filingOf(id!);
    bench.registry.refusals.push({ mark, mode: 1, refusalMark: "400009999999999" });
    const { differences } = await compare();
    expect(differences).toMatchObject([{ kind: "differs", document: id, mark }]);
    expect(differences[0]!.detail.en).toContain(
      "the customer rejected it at the authority (400009999999999)",
    );
    await cancelDocument(bench.appliance, id!, CAUSE);
    expect(await compare()).toMatchObject({ differences: [] });
  });

  test("VAT figures that differ from documents on which both sides agree differ without a document", async () => {
    const [id] = await issue(2);
    (await filingOf(id!)).boxes["Vat333"] = 150;
    expect((await compare()).differences).toEqual([
      {
        kind: "differs",
        document: null,
        mark: null,
        uid: null,
        detail: {
          en: "boxes of the VAT return: 333: here 4.00, there 3.50",
          el: "κωδικοί του Φ2: 333: εδώ 4,00, εκεί 3,50",
        },
      },
    ]);
  });

  test("VAT figures of documents that the account did not send are summed up", async () => {
    await issue(1);
    const boxes = { Vat303: 10_000, Vat333: 2400 };
    bench.registry.otherSales.push({
      mark: "400001111111111",
      date: "2026-11-05",
      boxes,
      cancelledByMark: null,
    });
    bench.registry.otherSales.push({
      mark: "400001111111112",
      date: "2026-11-05",
      boxes: { Vat361: 500 },
      cancelledByMark: null,
    });
    const { differences } = await compare();
    expect(differences.map(({ kind, detail }) => [kind, detail.en])).toEqual([
      [
        "differs",
        "the VAT return also counts 1 document that this account did not send: net 100.00, VAT 24.00",
      ],
    ]);
  });

  test("are not those of a document of the same account under another merchant", async () => {
    const other = await bench.makeMerchant("branch");
    await bench.connect(other);
    await issue(1);
    const id = await bench.accept({}, { merchant: other });
    await bench.processAll([id]);
    expect(await compare()).toMatchObject({ differences: [], compared: 2 });
    expect(await compare({ merchantId: other })).toMatchObject({ differences: [], compared: 1 });
  });
});

describe("a MARK below the highest one", () => {
  test("is doubled, and cancelled only if a person confirms it; the highest never is", async () => {
    const [id] = await issue(1);
    const { mark } = await bench.get(id!);
    const later = await fileAgain(id!);
    const result = await compare();
    expect(kindsOf(result)).toEqual([{ kind: "doubled", document: id, mark: later }]);
    expect(result.differences[0]!.detail.en).toContain("the authority counts this higher MARK");
    expect(result.surplus).toEqual([{ document: id, highest: later, lower: [mark] }]);
    expect(bench.registry.requests).not.toContain("CancelInvoice");
    const before = await rows();
    expect(await cancelSurplus(bench.appliance, result.surplus)).toEqual([
      { document: id, mark, problem: null },
    ]);
    expect([...uncancelledMarks(bench.registry.ledger).values()]).toEqual([[later]]);
    expect(await rows()).toEqual(before);
    // A person has decided that the later one counts.
    expect(await compare()).toMatchObject({ differences: [] });
  });

  test("is not cancelled once the higher one is", async () => {
    const [id] = await issue(1);
    await fileAgain(id!);
    const { surplus } = await compare();
    bench.registry.ledger[1]!.cancelledByMark = "400008888888888";
    const [result] = await cancelSurplus(bench.appliance, surplus);
    expect(result!.problem?.en).toContain("is cancelled by now");
    expect(bench.registry.ledger[0]!.cancelledByMark).toBeNull();
  });

  test("is left alone if it has other totals, because it is another document's", async () => {
    const [id] = await issue(1);
    await fileAgain(id!, { gross: "20.33" });
    const result = await compare();
    expect(result.differences).toMatchObject([{ kind: "doubled" }]);
    expect(result.surplus).toEqual([]);
  });

  test("is cancelled with the document afterwards, and so is the one that counts", async () => {
    const [id] = await issue(1);
    await fileAgain(id!);
    await cancelSurplus(bench.appliance, (await compare()).surplus);
    await cancelDocument(bench.appliance, id!, CAUSE);
    await bench.processAll([id!]);
    const { cancelSurplusMarks } = await import("../../src/issuing/surplus-marks.ts");
    await cancelSurplusMarks(bench.appliance);
    expect(uncancelledMarks(bench.registry.ledger).size).toBe(0);
    expect(await compare()).toMatchObject({ differences: [] });
  });
});

describe("a document without a MARK that the authority has", () => {
  const fail = (id: string, changes: { mark: null } | { uid: string }) =>
    bench.appliance.store.write((trx) =>
      trx.query((db) =>
        db
          .updateTable("documents")
          .set({ phase: "failed", status: "failed", ...changes })
          .where("id", "=", id),
      ),
    );

  /** Files the document, and then makes it failed here, as if its send had never been answered. */
  async function failFiled(): Promise<{ id: string; mark: string }> {
    const [id] = await issue(1);
    const { mark } = await bench.get(id!);
    await fail(id!, { mark: null });
    return { id: id!, mark: mark! };
  }

  test("takes the MARK over through reconciling, without a second send", async () => {
    const { id, mark } = await failFiled();
    const result = await compare();
    expect(kindsOf(result)).toEqual([{ kind: "missing_here", document: id, mark }]);
    const sends = bench.registry.requests.filter((request) => request.startsWith("SendInvoices")).length;
    expect(await requestAdoptions(bench.appliance, result.adoptable, CAUSE)).toMatchObject([
      { kind: "requested" },
    ]);
    expect(await bench.get(id)).toMatchObject({ status: "pending", stage: "reconciling" });
    await bench.processAll([id]);
    expect(await bench.get(id)).toMatchObject({ status: "issued", mark });
    expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices"))).toHaveLength(
      sends,
    );
    expect(await compare()).toMatchObject({ differences: [], adoptable: [] });
  });

  test("is mailed to its customer once it has the MARK, as if its send had been answered", async () => {
    const to = "customer@example.com";
    const { appliance } = bench;
    Object.assign(appliance.config.mail, { host: "mail.example.com", from: "us@example.com", testTo: [to] });
    const { id } = await failFiled();
    const [earlier] = await issue(1);
    await queueMail(appliance, "test", earlier!, { to, again: false });
    await putSettings(appliance, (await bench.get(id)).merchant, { on_issue: "mail" }, "test");
    await requestAdoptions(appliance, (await compare()).adoptable, CAUSE);
    await bench.processAll([id]);
    expect(await bench.get(id)).toMatchObject({ status: "issued" });
    expect(await listMails(appliance, id)).toMatchObject([{ to, status: "waiting" }]);
  });

  test("changes nothing if the authority does not show the MARK when asked again", async () => {
    const { id } = await failFiled();
    const { adoptable } = await compare();
    bench.registry.ledger.length = 0;
    const [request] = await requestAdoptions(bench.appliance, adoptable, CAUSE);
    expect(request).toMatchObject({ kind: "refused" });
    expect(await bench.get(id)).toMatchObject({ status: "failed" });
  });

  test("cannot take over a document with other totals", async () => {
    const { id } = await failFiled();
    bench.registry.ledger[0]!.gross = "99.99";
    const result = await compare();
    expect(result.adoptable).toEqual([]);
    expect(kindsOf(result)).toMatchObject([{ kind: "differs", document: id }]);
  });

  test("is not reported while the MARK is another document's", async () => {
    const [id] = await issue(1);
    const { uid } = await filingOf(id!);
    const failed = await bench.accept();
    await fail(failed, { uid });
    expect(await compare()).toMatchObject({ differences: [], adoptable: [] });
  });
});

describe("an authority that does not answer", () => {
  /** Has the second window unreadable. */
  const failSecond =
    (asked = 0) =>
    () => {
      asked += 1;
      if (asked === 2) bench.registry.next("RequestTransmittedDocs", "html 502 before filing");
    };

  test("is waited for as long as it asks", async () => {
    await issue(1);
    bench.registry.next("RequestTransmittedDocs", "429");
    bench.registry.next("RequestVatInfo", "429");
    expect(await compare()).toMatchObject({ differences: [], notCompared: [] });
    expect(waits).toEqual([1000, 1000]);
  });

  test("leaves the windows after the failure uncompared, and a second run asks only for those", async () => {
    const [first] = await issue(1, { issue_date: "2026-11-02" });
    await issue(1, { issue_date: "2026-11-12" });
    const { mark } = await bench.get(first!);
    bench.registry.ledger.shift();
    bench.advance(1000);
    const through = "2026-11-30";
    const halted = await compare({ through, onProgress: failSecond() });
    expect(kindsOf(halted)).toEqual([{ kind: "missing_there", document: first, mark }]);
    expect(halted.notCompared).toMatchObject([
      { merchant: "shop", from: "2026-11-08", through: "2026-11-30", reason: "unavailable" },
    ]);
    const count = () => bench.registry.requests.filter((one) => one === "RequestTransmittedDocs").length;
    const before = count();
    expect(kindsOf(await compare({ through }))).toEqual(kindsOf(halted));
    expect(count() - before).toBe(4);
    // A complete comparison keeps nothing: the next one asks for everything again.
    await compare({ through });
    expect(count() - before).toBe(4 + 5);
  });

  test("is asked again for a window in which a document was issued since it was read", async () => {
    bench.advance(1000);
    const through = "2026-11-14";
    expect((await compare({ through, onProgress: failSecond() })).notCompared).toHaveLength(1);
    bench.advance(1000);
    await issue(1);
    expect(await compare({ through })).toMatchObject({ differences: [], compared: 1, notCompared: [] });
  });

  test.each([
    "401",
    "403 page before filing",
    "garbled after filing",
    "empty after filing",
    "500 before filing",
  ] as const)("with %s names what was not compared", async (fault) => {
    await issue(1);
    bench.registry.next("RequestTransmittedDocs", fault);
    const result = await compare();
    expect(result).toMatchObject({ differences: [], compared: 0 });
    const reason = fault === "401" ? "refused" : "unavailable";
    expect(result.notCompared).toMatchObject([{ reason, from: "2026-11-01", connection: bench.connection }]);
    if (fault === "401")
      expect(result.notCompared[0]!.message.next).toEqual({
        operation: "verifyConnection",
        id: bench.connection,
      });
  });
});
