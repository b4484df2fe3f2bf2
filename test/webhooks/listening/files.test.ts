/** The files of listeners in the data directory (secret and cursors), and the requests to resend. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mode } from "../../../storage/stored-values.ts";
import { openBench } from "../../helpers/appliance.ts";
import { makeFolder } from "../../helpers/folder.ts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  openCursor,
  isWebhookSecret,
  loadListenSecret,
  lastResend,
  noteResend,
  readResends,
} from "../../../src/webhooks/listening/listen-files.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const EVENT = "evt_0000000000000000000001";
const OTHER = "evt_0000000000000000000002";
const URL = "http://localhost:3000/hooks?token=hidden";

let dataDir: string;
const listeningFolder = (folder: string) => join(folder, "listening");
beforeEach(() => {
  dataDir = makeFolder();
});

const modeOf = (name: string) => statSync(join(listeningFolder(dataDir), name)).mode & 0o777;

describe("the secret of a listener", () => {
  test("is created once in an endpoint's format, readable by its owner only, and leaves no other file", () => {
    const secret = loadListenSecret(dataDir);
    expect(isWebhookSecret(secret)).toBe(true);
    expect(loadListenSecret(dataDir)).toBe(secret);
    expect(readdirSync(listeningFolder(dataDir))).toEqual(["secret"]);
    expect(modeOf("secret")).toBe(0o600);
  });

  test("that is corrupt is reported by its file name, and not repeated", () => {
    mkdirSync(listeningFolder(dataDir));
    writeFileSync(join(listeningFolder(dataDir), "secret"), "hidden");
    const load = () => loadListenSecret(dataDir);
    expect(load).toThrow(join(listeningFolder(dataDir), "secret"));
    expect(load).not.toThrow("hidden");
  });
});

describe("the cursor of a receiver", () => {
  test("is a file that only its owner can read, and its name does not reveal the URL", () => {
    openCursor(dataDir, "test", URL).move({ after: null, resends: 0 });
    const [name = "", ...others] = readdirSync(listeningFolder(dataDir));
    expect(others).toEqual([]);
    expect(name).toMatch(/^test-[0-9a-f]{16}\.json$/);
    expect(modeOf(name)).toBe(0o600);
  });

  test.each([
    "",
    "{",
    "[]",
    '{"url":"x","after":"evt_1","resends":0}',
    '{"url":"x","after":null,"resends":-1}',
  ])("that is corrupt (%j) is reported by its file name, with the next step", (text) => {
    openCursor(dataDir, "test", URL).move({ after: null, resends: 0 });
    const [name = ""] = readdirSync(listeningFolder(dataDir));
    writeFileSync(join(listeningFolder(dataDir), name), text);
    expect(() => openCursor(dataDir, "test", URL)).toThrow(name);
    expect(() => openCursor(dataDir, "test", URL)).toThrow("name the event to continue after");
  });
});

describe("requests to resend", () => {
  const bench = forEachTest(openBench);

  const note = (mode: Mode, id: string) => bench.appliance.store.write((trx) => noteResend(trx, mode, id));
  const read = (from: number) => readResends(bench.appliance.store.read, from);

  test("are read in order, each with its number, from any of them on", async () => {
    expect(await read(0)).toEqual({ requests: [], last: 0 });
    await note("test", EVENT);
    const between = await lastResend(bench.appliance.store.read);
    await note("live", OTHER);
    const second = { mode: "live", eventId: OTHER, number: between + 1 };
    expect(await read(0)).toEqual({
      requests: [{ mode: "test", eventId: EVENT, number: between }, second],
      last: between + 1,
    });
    expect(await read(between)).toEqual({ requests: [second], last: between + 1 });
    expect(await read(between + 1)).toEqual({ requests: [], last: between + 1 });
  });

  test("are kept up to a thousand, for listeners that are away", async () => {
    await bench.appliance.store.write(async (trx) => {
      for (let count = 0; count < 1002; count += 1) await noteResend(trx, "test", EVENT);
    });
    const { requests, last } = await read(0);
    expect([requests.length, requests[0]?.number, last]).toEqual([1000, 3, 1002]);
  });

  test("continue at the end for a listener of a database with more of them", async () => {
    await note("test", EVENT);
    expect(await read(12_345)).toEqual({ requests: [], last: 1 });
  });
});
