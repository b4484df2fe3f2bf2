/**
 * A month of a shop that is compared with the authority: 200 documents with credit notes and a cancellation, one document filed
 * outside fiscal and one missing at the authority. With PRINT=1 it also prints what a person sees.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFakeRegistry } from "../helpers/fake-registry/server.ts";
import { openWorkshop, type Workshop } from "../helpers/program.ts";
import { addShop, invoice, lines, type Receipt, receipt, SUPPLIER } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const DOCUMENTS = 200;
const CREDIT_NOTES = 10;

let workshop: Workshop;
let env: Record<string, string>;

const registry = forAllTests(() =>
  startFakeRegistry({
    accounts: [{ userId: "user", key: "key-4711", vat: SUPPLIER }],
    pageSize: 40,
  }),
);
beforeAll(async () => {
  env = {
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    FISCAL_CREDENTIAL_USER_ID: "user",
    FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: "key-4711",
  };
  workshop = await openWorkshop();
  await addShop(workshop);
  await workshop.run(["connections", "add", "--merchant", "shop", "--provider", "registry_direct"], { env });
});
afterAll(() => workshop.close());

function dated({ document, ...rest }: Receipt, place: number): Receipt {
  const day = String((place % 31) + 1).padStart(2, "0");
  return { ...rest, document: { ...document, issue_date: `2026-01-${day}` } };
}

async function issue(bodies: readonly Receipt[]): Promise<void> {
  const args = ["documents", "issue", "-", "--merchant", "shop"];
  const run = await workshop.run(args, { env, stdin: lines(bodies) });
  expect(run.exitCode).toBe(0);
}

test("finds exactly the document filed outside and the one that is missing there", async () => {
  const sales = Array.from({ length: DOCUMENTS - CREDIT_NOTES }, (_, place) =>
    dated(place % 4 === 0 ? invoice(`I-${place}`) : receipt(`R-${place}`), place),
  );
  await issue(sales);
  const invoices = registry.ledger.filter(({ type }) => type === "1.1").slice(0, CREDIT_NOTES);
  await issue(
    invoices.map(({ mark }, place) => {
      const { document, ...rest } = invoice(`C-${place}`);
      return dated({ ...rest, document: { ...document, type: "5.1", original_marks: [mark] } }, 30);
    }),
  );
  expect(registry.ledger).toHaveLength(DOCUMENTS);
  expect((await workshop.run(["documents", "cancel", "R-5", "--yes"], { env })).exitCode).toBe(0);

  const outside = { ...registry.ledger[0]!, uid: "B".repeat(40), mark: "400001900009999", aa: "9001" };
  registry.ledger.push(outside);
  const [lost] = registry.ledger.splice(100, 1);

  const period = ["documents", "reconcile", "--from", "2026-01-01", "--to", "2026-01-31"];
  const run = await workshop.run([...period, "--json"], { env });
  expect(run.exitCode).toBe(4);
  expect(run.json()).toMatchObject({
    from: "2026-01-01",
    to: "2026-01-31",
    differences: [
      { kind: "missing_here", document: null, mark: outside.mark },
      { kind: "missing_there", mark: lost!.mark },
    ],
    compared: DOCUMENTS + 1,
  });
  expect(run.json<{ differences: unknown[] }>().differences).toHaveLength(2);

  for (const language of process.env["PRINT"] === undefined ? [] : ["en", "el"]) {
    const shown = await workshop.run([...period, "--lang", language], { env, columns: 80 });
    process.stdout.write(`${shown.stdout}${shown.stderr}exit code ${shown.exitCode}\n`);
  }
});
