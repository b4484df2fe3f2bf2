/**
 * Fills the disk while documents are accepted. Once there is space again, everything accepted with 201 exists, and
 * nothing rejected was stored in part.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildIssueBody, openBench } from "../helpers/appliance.ts";
import { checkEverything, checkNumbers, waitUntilFinal } from "../helpers/reckoning.ts";
import { type Ended, runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";
import { postDocument, prepareShop, type Shop } from "../helpers/shop.ts";
import { CAN_MOUNT, mountSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";

const CLIENTS = 8;
const MEGABYTE = 1_048_576;
const DISK_MB = 48;

describe.skipIf(!CAN_MOUNT)("a full disk (skipped if no tmpfs can be mounted)", () => {
  let disk: SmallDisk;
  let server: ServerProcess | undefined;
  let shop: Shop;
  const environment = (minFreeMb: number) => ({
    folder: disk.folder,
    env: {
      FISCAL_RATE_LIMIT__REQUESTS: "0",
      FISCAL_ISSUING__LEASE_SECONDS: "1",
      FISCAL_STORAGE__MIN_FREE_MB: String(minFreeMb),
    },
  });

  beforeEach(async () => {
    disk = mountSmallDisk(DISK_MB);
    shop = await prepareShop(environment(0));
  });
  afterEach(async () => {
    await server?.kill();
    server = undefined;
    disk.remove();
  });

  const post = (reference: string) => postDocument(server!.url, shop, reference);

  /** Several clients post until the server has rejected `refusals` of their requests. */
  async function postUntilRefused(
    refusals: number,
  ): Promise<{ accepted: Map<string, string>; refused: string[] }> {
    const accepted = new Map<string, string>();
    const refused: string[] = [];
    let next = 0;
    async function client(): Promise<void> {
      while (refused.length < refusals) {
        next += 1;
        const reference = `order-${next}`;
        const { status, retryAfter, body } = await post(reference);
        if (status === 201) {
          accepted.set(reference, body.data!.id);
          continue;
        }
        expect({ status, code: body.code, retryable: body.retryable }).toEqual({
          status: 503,
          code: "service_unavailable",
          retryable: true,
        });
        expect(Number(retryAfter)).toBeGreaterThan(0);
        expect(body.message).toMatch(/full|low on space/);
        refused.push(reference);
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client));
    return { accepted, refused };
  }

  async function readiness(): Promise<{
    status: number;
    body: { checks: Record<string, boolean>; reasons?: { check: string; message: string }[] };
  }> {
    const response = await fetch(`${server!.url}/readyz`);
    return { status: response.status, body: (await response.json()) as never };
  }

  async function waitUntilReady(): Promise<void> {
    while ((await readiness()).status !== 200) await new Promise((turn) => setTimeout(turn, 100));
  }

  /** Each rejected request, sent again under its key, creates exactly one document. */
  async function sendAgain(refused: readonly string[], accepted: Map<string, string>): Promise<void> {
    for (const reference of refused) {
      const { status, body } = await post(reference);
      expect(status).toBe(201);
      accepted.set(reference, body.data!.id);
    }
    const [again] = [...accepted];
    expect((await post(again![0])).body.data!.id).toBe(again![1]);
  }

  async function checkAll(accepted: Map<string, string>): Promise<void> {
    const after = await openBench({ ...environment(0), startMs: Date.now() });
    try {
      await checkEverything(after, [...accepted.values()]);
    } finally {
      await after.close();
    }
    await checkNumbers(environment(0), accepted.size);
    const database = new Database(join(disk.folder, "data/fiscal.db"), { readonly: true });
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    database.close();
  }

  function logLines(): string[] {
    return server!.log().trim().split("\n");
  }

  test("responds 503, loses nothing, and recovers by itself once there is space", async () => {
    disk.fill(2 * MEGABYTE);
    server = await startBuilt(environment(0));
    const { accepted, refused } = await postUntilRefused(200);
    expect(accepted.size).toBeGreaterThan(0);
    disk.fill();
    const reason = { check: "space", message: expect.stringContaining("almost full") };
    await expect
      .poll(async () => (await readiness()).body)
      .toMatchObject({
        checks: { space: false },
        reasons: expect.arrayContaining([expect.objectContaining(reason)]),
      });
    // Two hundred rejections are one problem, reported again only after a smaller write succeeded in between.
    expect(logLines().filter((line) => line.includes("cannot be written")).length).toBeLessThan(20);
    // Apart from the line for each request.
    expect(logLines().filter((line) => !line.includes('"request answered"')).length).toBeLessThan(100);
    disk.empty();
    await waitUntilReady();
    expect(server.log()).toContain("the database can be written again");
    await sendAgain(refused, accepted);
    await waitUntilFinal(server.url, shop.key);
    expect(await server.stop()).toBe(0);
    await checkAll(accepted);
  });

  test("refuses new documents while there is room for what was accepted", async () => {
    // The reserve is far larger than what is accepted between two checks of the space.
    disk.fill(34 * MEGABYTE);
    server = await startBuilt(environment(32));
    const { accepted, refused } = await postUntilRefused(20);
    const { status, body } = await readiness();
    expect([status, body.checks]).toEqual([
      503,
      { database: true, migrated: true, master_key: true, active: true, space: false, accepting: true },
    ]);
    // Accepted documents are issued from the reserve.
    await waitUntilFinal(server.url, shop.key);
    expect((await post([...accepted.keys()][0]!)).status).toBe(201);
    const diagnosis = await runBuilt(["doctor", "--json"], environment(32));
    expect(diagnosis.code).toBe(1);
    expect(diagnosis.stdout).toContain("The disk is nearly full");
    disk.empty();
    await waitUntilReady();
    await sendAgain(refused, accepted);
    await waitUntilFinal(server.url, shop.key);
    expect(await server.stop()).toBe(0);
    await checkAll(accepted);
  });

  test("continues without its log on the same disk, and resumes logging once there is space", async () => {
    const log = join(disk.folder, "server.log");
    const program = resolve(import.meta.dirname, "../../bin/fiscal.js");
    const line = `exec "${process.execPath}" "${program}" "$@" 2>>"${log}"`;
    server = await startBuilt({ ...environment(0), command: ["sh", "-c", line, "fiscal"] });
    disk.fill();
    const headers = { authorization: `Bearer ${shop.key}` };
    const isAnswered = async () =>
      (await fetch(`${server!.url}/api/v1/merchants`, { headers })).status === 200;
    // More lines than fit on the last page of the file.
    for (let count = 0; count < 60; count += 1) expect(await isAnswered()).toBe(true);
    const full = readFileSync(log).length;
    disk.empty();
    expect(await isAnswered()).toBe(true);
    expect(await server.stop()).toBe(0);
    expect(readFileSync(log).length).toBeGreaterThan(full);
    expect(readFileSync(log, "utf8").trimEnd()).toMatch(/"msg":"stopped"\}$/);
  });

  test("a server killed on a full disk explains why it does not start, and starts once there is space", async () => {
    disk.fill(MEGABYTE);
    server = await startBuilt(environment(0));
    const { accepted, refused } = await postUntilRefused(20);
    await server.kill();
    server = undefined;
    // It starts while its log has space left; otherwise it explains why not.
    server = await startBuilt(environment(0)).catch((error: unknown) => {
      expect(String(error)).toMatch(/ended with 78: .*disk .*full/s);
      return undefined;
    });
    await server?.kill();
    server = undefined;
    // After an orderly stop there is no log, and no space to create one.
    disk.empty();
    expect((await runBuilt(["documents", "list"], environment(0))).code).toBe(0);
    disk.fill();
    const ended = await runBuilt(["serve", "--port", "0"], environment(0));
    expect(ended.code).toBe(78);
    expect(lastLine(ended)).toMatch(/^fiscal: .*disk .*full .*make room/);
    disk.empty();
    server = await startBuilt(environment(0));
    await sendAgain(refused, accepted);
    await waitUntilFinal(server.url, shop.key);
    expect(await server.stop()).toBe(0);
    await checkAll(accepted);
  });

  test("a batch stops with one line and exit code 5, and the same file can continue", async () => {
    const file = join(disk.folder, "batch.ndjson");
    const count = 700;
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify(buildIssueBody(shop.merchant, { external_reference: `batch-${index}` })),
    );
    writeFileSync(file, lines.join("\n"));
    disk.fill(2 * MEGABYTE);
    const ended = await runBuilt(["documents", "issue", file, "--no-wait"], environment(0));
    expect(ended.stderr).toMatch(/^\d+ documents were accepted before this\. Run the same command again/m);
    expect(ended.stderr).toMatch(/^fiscal: The disk of the data directory is full \(\d+ MB free\)/m);
    expect(ended.code).toBe(5);
    const said = ended.stderr.split("\n").filter((line) => !/^fiscal: (warning|error): /.test(line));
    expect(said).toHaveLength(4);
    const before = Number(/^(\d+) documents/m.exec(ended.stderr)?.[1]);
    disk.empty();
    const again = await runBuilt(["documents", "issue", file, "--json"], environment(0));
    expect(again.code).toBe(0);
    const { data } = JSON.parse(again.stdout) as { data: { id: string }[] };
    expect([before > 0, data.length]).toEqual([true, count]);
    await checkAll(new Map(data.map(({ id }) => [id, id])));
    expect(readFileSync(file, "utf8").split("\n").length).toBe(count);
  });
});

function lastLine({ stderr }: Ended): string {
  return (
    stderr
      .trim()
      .split("\n")
      .find((line) => line.startsWith("fiscal:")) ?? stderr
  );
}
