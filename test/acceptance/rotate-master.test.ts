/** Replaces the master key while a server accepts documents, with a program that is repeatedly killed and restarted. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import type { Rotation } from "../../src/keys/rotation.ts";
import { keyNameOf } from "../../storage/encryption/cipher.ts";
import { placeIn, SEALED_COLUMNS } from "../../storage/encryption/sealed.ts";
import { openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import {
  type ProgramEnvironment,
  runBuilt,
  type ServerProcess,
  spawnBuilt,
  startBuilt,
} from "../helpers/server-process.ts";
import { postDocument } from "../helpers/shop.ts";

const CLIENTS = 4;
/** Sealed values before the rotation starts: enough that it can be killed midway. */
const BODIES = 6000;
const ENV = { FISCAL_RATE_LIMIT__REQUESTS: "0" };

test("re-encrypts everything with the new key while documents are accepted, even across kills", async () => {
  const folder = makeFolder();
  const environment = { folder, env: ENV };
  let server: ServerProcess | undefined;
  let isOver = false;
  try {
    const bench = await openBench({ folder, env: ENV, startMs: Date.now() });
    const shop = { merchant: await bench.makeMerchant(), key: await bench.makeKey("test") };
    const { store } = bench.appliance;
    for (let made = 0; made < BODIES; made += 1000) {
      await store.write(async (trx) => {
        const bodies = Array.from({ length: 1000 }, () => {
          const id = trx.newId("rql");
          const sealed = store.cipher.seal(placeIn("bodies", id), randomBytes(500));
          return { id, sealed, created_at: trx.now };
        });
        await trx.insertRows({ bodies });
      });
    }
    await bench.close();

    server = await startBuilt(environment);
    const { url } = server;
    const accepted: string[] = [];
    const refusals: number[] = [];
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!isOver) {
        const { status, body } = await postDocument(url, shop, randomBytes(12).toString("hex"));
        if (status === 201) accepted.push(body.data!.id);
        else refusals.push(status);
        await new Promise((turn) => setTimeout(turn, 5));
      }
    });

    await killHalfway(environment);
    const finished = await runBuilt(["--json", "keys", "rotate-master", "--yes"], environment);
    expect(finished.stderr).toBe("");
    const rotation = JSON.parse(finished.stdout) as Rotation;
    expect([rotation.resumed, rotation.unreadable]).toEqual([true, {}]);
    const after = accepted.length;
    while (accepted.length < after + 20) await new Promise((turn) => setTimeout(turn, 10));
    isOver = true;
    await Promise.all(clients);
    expect(refusals).toEqual([]);
    expect(await server.stop()).toBe(0);
    server = undefined;

    expect(namesOfKeys(folder)).toEqual([rotation.to]);
    expect(countDocuments(folder)).toBe(accepted.length);
    // The key file for server starts is the new one, and opens every logged body.
    const { stdout } = await runBuilt(["--json", "requests", "list", "--limit", "1"], environment);
    const [request] = (JSON.parse(stdout) as { data: { id: string }[] }).data;
    expect((await runBuilt(["--json", "requests", "show", request!.id], environment)).code).toBe(0);
    expect(readFileSync(rotation.retired_key_file!, "utf8")).toMatch(/^# Replaced on .*\n[0-9a-f]{64}\n$/);
  } finally {
    isOver = true;
    await server?.kill();
  }
});

/** Starts a rotation and kills it after it has written part of its work. */
async function killHalfway(environment: ProgramEnvironment): Promise<void> {
  const child = spawnBuilt(["keys", "rotate-master", "--yes"], environment);
  const exited = once(child, "exit");
  while (namesOfKeys(environment.folder).length < 2) await new Promise((turn) => setTimeout(turn, 5));
  child.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
  expect(namesOfKeys(environment.folder)).toHaveLength(2);
}

function withDatabase<T>(folder: string, look: (database: Database.Database) => T): T {
  const database = new Database(join(folder, "data", "fiscal.db"), { readonly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

function namesOfKeys(folder: string): string[] {
  return withDatabase(folder, (database) => {
    const names = SEALED_COLUMNS.flatMap(({ table, column }) =>
      database
        .prepare<[], { value: Uint8Array }>(
          `select substr(${column}, 1, 40) as value from ${table} where ${column} is not null`,
        )
        .all()
        .map(({ value }) => keyNameOf(value) ?? ""),
    );
    return [...new Set(names)];
  });
}

function countDocuments(folder: string): number {
  return withDatabase(folder, (database) => {
    const row = database
      .prepare<[], { documents: number }>("select count(*) as documents from documents")
      .get();
    return row?.documents ?? 0;
  });
}
