import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeBackup } from "../../../src/upkeep/backup/make-backup.ts";
import { backUp, masterKeysOf } from "../../../src/upkeep/backup/backup-places.ts";
import { restoreBackup } from "../../../src/upkeep/backup/restore-backup.ts";
import { rotateMasterKey } from "../../../src/keys/rotation.ts";
import { findConnectionRow } from "../../../storage/merchants/connections.ts";
import { openBench } from "../../helpers/appliance.ts";
import { CREDENTIALS, openConnectingServer, type ConnectingServer } from "../../helpers/connecting.ts";
import { makeFolder } from "../../helpers/folder.ts";
import { placeIn } from "../../../storage/encryption/sealed.ts";
import { closing } from "../../helpers/set-up.ts";

let folder: string;
let server: ConnectingServer;
let connection: string;
beforeEach(async () => {
  folder = makeFolder();
  server = await openConnectingServer({ folder });
  connection = await server.connect();
});
afterEach(async () => {
  await server.close();
});

const backup = () => join(folder, "backup.db");

/** Begins a rotation, backs up, and ends the rotation. Returns the file of the old key. */
async function backUpDuringRotation(): Promise<string> {
  const { appliance } = server;
  class Stopped extends Error {}
  const onProgress = () => {
    throw new Stopped();
  };
  await expect(rotateMasterKey(appliance, { onProgress })).rejects.toThrow(Stopped);
  const { config, clock } = appliance;
  await backUp({ config, clock, target: backup(), force: false, passphraseFile: undefined });
  return (await rotateMasterKey(appliance)).retired_key_file!;
}

async function restore(site: string): Promise<void> {
  const security = { ...server.appliance.config.security, masterKeyFile: join(site, "data", "master.key") };
  await restoreBackup({
    file: backup(),
    passphrase: null,
    withoutChecksum: false,
    masterKeys: masterKeysOf({ ...server.appliance.config, security }),
    database: join(site, "data", "fiscal.db"),
    replace: false,
    dataDir: join(site, "data"),
    nowMs: server.appliance.clock.nowMs(),
  });
}

test("a backup made during a rotation is rejected with only the new key, and restored with both", async () => {
  const retired = await backUpDuringRotation();
  const site = join(folder, "second");
  const key = join(site, "data", "master.key");
  await mkdir(join(site, "data"), { recursive: true });
  await copyFile(join(folder, "data", "master.key"), key);
  await expect(restore(site)).rejects.toThrow("needs the old key as well");
  expect(await readdir(join(site, "data"))).toEqual(["master.key"]);

  await rename(key, `${key}.new`);
  await copyFile(retired, key);
  await restore(site);
  await using restored = await closing(openBench({ folder: site }));
  const { store } = restored.appliance;
  const { resumed, unreadable } = await rotateMasterKey(restored.appliance);
  expect([resumed, unreadable]).toEqual([true, {}]);
  const row = await findConnectionRow(store.read, { id: connection });
  expect(
    JSON.parse(store.cipher.open(placeIn("connections", connection), row!.credentials!)!.toString()),
  ).toEqual(CREDENTIALS);
});

test("a backup succeeds if a rotation begins after the keys were read", async () => {
  const { config } = server.appliance;
  const [stale, present] = [[randomBytes(32)], masterKeysOf(config)];
  let reads = 0;
  const order = { passphrase: null, force: false, program: "1", nowMs: Date.now() };
  const made = await makeBackup({
    ...order,
    database: config.storage.database,
    target: backup(),
    readMasterKeys: () => (reads++ === 0 ? stale : present),
  });
  expect(made.manifest.counts).toMatchObject({ connections: 1 });
});
