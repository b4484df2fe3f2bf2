/** docs/contract.md#confirmation-in-live-mode */
import { beforeAll, expect, test } from "vitest";
import { answering, type RunOptions, expectRefused } from "../../helpers/program.ts";
import { openNetwork, writeCredentials } from "../../helpers/prepared.ts";
import { lines, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const network = forAllTests(openNetwork);
const workshop = forAllTests(openShop);
beforeAll(async () => {
  await writeCredentials(workshop.folder);
  const credentials = ["--user-id-file", "user.txt", "--subscription-key-file", "key.txt"];
  await workshop.run(
    ["--live", "connections", "add", "--merchant", "shop", "--provider", "registry_direct", ...credentials],
    { env: network.env },
  );
  const broken = { ...receipt("A-3"), document: { ...receipt("A-3").document, currency: "USD" } };
  const earlier = { ...receipt("A-2"), document: { ...receipt("A-2").document, issue_date: "2025-01-14" } };
  await workshop.write("day.ndjson", lines([receipt("A-1"), earlier, broken]));
});

const QUESTION = "Issue them in live mode? A tax document cannot be unsent.";
const issueDay = (args: string[], options: RunOptions) =>
  workshop.run(["--live", "documents", "issue", "day.ndjson", "--merchant", "shop", ...args], {
    env: network.env,
    ...options,
  });
const count = async () => (await workshop.list<unknown>("--live documents list")).length;

test("shows merchant, count, sum and issue dates of what would be issued, and issues nothing after no", async () => {
  const run = await issueDay([], answering({ [QUESTION]: "n\r" }));
  expectRefused(
    run,
    1,
    "documents 2, total 24.80 EUR, dated 2025-01-14 to 2025-01-15\n",
    "not valid, and left out: 1; --dry-run lists them\n",
    "Nothing was changed.",
  );
  expect(await count()).toBe(0);
});

test.each([
  ["without a terminal", ["day.ndjson"], {}],
  ["from standard input", ["-", "--format", "ndjson"], { terminal: true, stdin: lines([receipt("B-1")]) }],
])("refuses to issue %s without --yes, before anything is read", async (_where, files, options) => {
  expectRefused(
    await workshop.run(["--live", "documents", "issue", ...files, "--merchant", "shop"], {
      env: network.env,
      ...options,
    }),
    2,
    "--yes",
  );
  expect(await count()).toBe(0);
});

test("issues after yes, and for scripts with --yes", async () => {
  expect((await issueDay(["--no-wait"], answering({ [QUESTION]: "y\r" }))).stderr).toContain("2 accepted");
  expect(await count()).toBe(2);
  const piped = await workshop.run(
    "--live documents issue - --format ndjson --merchant shop --yes --no-wait",
    { env: network.env, stdin: lines([receipt("B-1")]) },
  );
  expect(piped.exitCode).toBe(0);
  expect(await count()).toBe(3);
});

test("asks nothing for --dry-run", async () => {
  expect((await issueDay(["--dry-run"], {})).stderr).not.toContain("--yes");
});
