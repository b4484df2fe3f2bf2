/** `fiscal documents reconcile`: flags, output and exit codes, against the fake authority and the sandbox. */
import { readFileSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Filing } from "../helpers/fake-registry/authority.ts";
import type { FakeRegistry } from "../helpers/fake-registry/server.ts";
import {
  answering,
  expectRefused,
  expectSaid,
  type Run,
  type RunOptions,
  expectPrinted,
} from "../helpers/program.ts";
import { invoice, lines } from "../helpers/receipts.ts";
import { openRegisteredShop } from "../helpers/registered-shop.ts";
import { forAllTests } from "../helpers/set-up.ts";

const PERIOD = ["--from", "2025-01-12", "--to", "2025-01-18"];
const OUTSIDE = { uid: "A".repeat(40), mark: "400001900009999" };

let registry: FakeRegistry;
let ledger: Filing[];
const workshop = forAllTests(openRegisteredShop);
beforeAll(async () => {
  ({ registry } = workshop);
  const stdin = lines([invoice("A-1"), invoice("A-2")]);
  expect((await workshop.run("documents issue - --merchant shop", { stdin })).exitCode).toBe(0);
  ledger = registry.ledger.map((filing) => ({ ...filing }));
});
beforeEach(() => {
  registry.ledger.splice(0, Infinity, ...ledger.map((filing) => ({ ...filing })));
});

const reconcile = (args: string[] = [], options: RunOptions = {}): Promise<Run> =>
  workshop.run(["documents", "reconcile", ...PERIOD, ...args], options);
const fileOutside = () => void registry.ledger.push({ ...ledger[0]!, ...OUTSIDE });
/** Registers the first document again, under a higher MARK. */
const fileAgain = () => void registry.ledger.push({ ...ledger[0]!, mark: OUTSIDE.mark });
const cancelled = () =>
  registry.ledger.filter(({ cancelledByMark }) => cancelledByMark !== null).map(({ mark }) => mark);

describe("the result", () => {
  test("without differences is a line and exit code 0", async () => {
    const run = await reconcile();
    expect(run).toMatchObject({ exitCode: 0, stdout: "documents compared: 2, differences: 0\n", stderr: "" });
  });

  test("as JSON has the contract's shape, and exit code 4 if anything differs", async () => {
    fileOutside();
    const run = await reconcile(["--json"]);
    expect(run.exitCode).toBe(4);
    const detail = "not issued here: type 1.1, TIM 1, 2025-01-15, 63.24 EUR";
    const differences = [{ kind: "missing_here", document: null, ...OUTSIDE, detail }];
    expect(run.json()).toEqual({ from: "2025-01-12", to: "2025-01-18", differences, compared: 3 });
  });

  test("is a table that names the kind in the reader's language", async () => {
    fileOutside();
    expect((await reconcile([], { columns: 80 })).stdout).toMatch(
      /missing here[^]*documents compared: 3, differences: 1/,
    );
    const greek = await reconcile(["--lang", "el"], { columns: 80 });
    expect(greek.stdout).toMatch(/λείπει εδώ[^]*παραστατικά που συγκρίθηκαν: 3, διαφορές: 1/);
  });

  test("goes to a CSV file with --output", async () => {
    fileOutside();
    const refused = await reconcile(["--output", "differences.csv"]);
    expectRefused(refused, 4, "documents compared: 3, differences: 1");
    expect(readFileSync(workshop.at("differences.csv"), "utf8")).toContain(
      `differences;missing_here;;${OUTSIDE.mark};${OUTSIDE.uid};`,
    );
  });
});

describe("an account that cannot be read", () => {
  test.each(["hangs", "500 before filing", "garbled after filing"] as const)(
    "because the authority %s ends with 5 and names what was not compared",
    async (fault) => {
      registry.next("RequestTransmittedDocs", fault);
      const env = { FISCAL_PROVIDERS__REGISTRY_DIRECT__TIMEOUT_SECONDS: "1" };
      const run = await reconcile(["--json"], { env });
      expect(run.exitCode).toBe(5);
      expect(run.json()).toMatchObject({ differences: [], compared: 0 });
      expect(run.stderr).toContain("Not compared: shop, registry_direct, 2025-01-12 to 2025-01-18: ");
    },
  );

  test("because its credentials are refused ends with 4 and names the connection", async () => {
    registry.next("RequestTransmittedDocs", "401");
    expectSaid(await reconcile(), 4, /refuses the user id or the subscription key[^]*con_\w+/);
  });

  test("for now is asked again after the pause that it names", async () => {
    registry.retryAfterSeconds = 0;
    registry.next("RequestVatInfo", "429");
    const run = await reconcile();
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr).toBe("The provider asks to wait 0 s.\n");
  });
});

describe("surplus MARKs", () => {
  test("are not touched without --cancel-surplus", async () => {
    fileAgain();
    expectPrinted(await reconcile(), 4, "doubled");
    expect(cancelled()).toEqual([]);
  });

  test("are not touched if the question is answered with no", async () => {
    fileAgain();
    const run = await reconcile(["--cancel-surplus"], answering({ "Cancel the surplus MARKs of": "n\r" }));
    expect(run.stderr).toMatch(
      /Cancel the surplus MARKs of: TIM 1, 094012834, 63\.24 EUR, Παράδειγμα Α\.Ε\., test mode\? This cannot be undone\./,
    );
    expect(run.stderr).toContain("Nothing was changed.");
    expect(cancelled()).toEqual([]);
  });

  test("are cancelled with --yes, and the document keeps its MARK", async () => {
    fileAgain();
    expectSaid(await reconcile(["--cancel-surplus", "--yes"]), 4, `${ledger[0]!.mark} is cancelled`);
    expect(cancelled()).toEqual([ledger[0]!.mark]);
    expect((await workshop.read<{ mark: string }>("documents show A-1")).mark).toBe(ledger[0]!.mark);
    expect(await reconcile()).toMatchObject({ exitCode: 0 });
  });
});

test("--adopt takes the MARK of a failed document over, and sends nothing", async () => {
  workshop.change(
    "update documents set phase = 'failed', status = 'failed', mark = null where external_reference = 'A-2'",
  );
  const sends = () => registry.requests.filter((request) => request.startsWith("SendInvoices")).length;
  const before = sends();
  expect((await reconcile()).stdout).toContain("missing here");
  expectSaid(await reconcile(["--adopt", "--yes"]), 4, `issued with ${ledger[1]!.mark}`);
  expect(sends()).toBe(before);
  expect(await reconcile()).toMatchObject({ exitCode: 0 });
});

test("--adopt says that there is nothing to take over", async () => {
  const run = await reconcile(["--adopt", "--yes"]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "There is no MARK to take over.\n" });
});

test("an interrupt between two windows ends with 130 and says how to continue", async () => {
  const run = await workshop.run("documents reconcile --month 2025-01", {
    terminal: true,
    onOutput: (text, program) => void (text.includes("comparing") && program.interrupt()),
  });
  expectSaid(run, 130, "the same command continues");
});
