/** The files of listeners in the data directory: secret, cursors, requests to resend. */
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  openCursor,
  listeningFolder,
  makeListeningFolder,
  isWebhookSecret,
  loadListenSecret,
} from "../../../src/webhooks/listening/listen-files.ts";
import { noteResend, readResends, resendsNoted } from "../../../src/webhooks/listening/resends.ts";

const EVENT = "evt_0000000000000000000001";
const OTHER = "evt_0000000000000000000002";
const URL = "http://localhost:3000/hooks?token=hidden";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "fiscal-listening-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

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
    makeListeningFolder(dataDir);
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
  const noted = () => join(listeningFolder(dataDir), "resends.ndjson");

  test("are not recorded if there never was a listener", () => {
    noteResend(dataDir, "test", EVENT);
    expect(readdirSync(dataDir)).toEqual([]);
    expect(resendsNoted(dataDir)).toBe(0);
    expect(readResends(dataDir, 0)).toEqual({ requests: [], through: 0 });
  });

  test("are read in order, each with the position after it", () => {
    makeListeningFolder(dataDir);
    noteResend(dataDir, "test", EVENT);
    const between = resendsNoted(dataDir);
    noteResend(dataDir, "live", OTHER);
    const { requests, through } = readResends(dataDir, 0);
    expect(requests).toEqual([
      { mode: "test", eventId: EVENT, through: between },
      { mode: "live", eventId: OTHER, through },
    ]);
    expect(through).toBe(resendsNoted(dataDir));
    expect(readResends(dataDir, between).requests.map(({ eventId }) => eventId)).toEqual([OTHER]);
    expect(readResends(dataDir, through)).toEqual({ requests: [], through });
    expect(statSync(noted()).mode & 0o777).toBe(0o600);
  });

  test("skips a torn one, and waits for one that is still being written", () => {
    makeListeningFolder(dataDir);
    const line = JSON.stringify({ mode: "test", event: EVENT });
    appendFileSync(noted(), line.slice(0, 10));
    expect(readResends(dataDir, 0)).toEqual({ requests: [], through: 0 });
    noteResend(dataDir, "test", EVENT);
    noteResend(dataDir, "test", OTHER);
    const { requests, through } = readResends(dataDir, 0);
    expect(requests.map(({ eventId }) => eventId)).toEqual([OTHER]);
    expect(through).toBe(resendsNoted(dataDir));
  });

  test("old parts are deleted, and a reader gets each remaining request once", () => {
    makeListeningFolder(dataDir);
    const full = () => {
      const parts = readdirSync(listeningFolder(dataDir)).filter((name) => name.startsWith("resends"));
      const newest = parts
        .sort((left, right) => left.length - right.length || (left < right ? -1 : 1))
        .at(-1)!;
      // Lines that name no event are skipped.
      appendFileSync(join(listeningFolder(dataDir), newest), `${"x".repeat(1024 * 1024)}\n`);
    };
    const readAll = (from: number) => {
      const events: string[] = [];
      for (let place = from; ; ) {
        const { requests, through } = readResends(dataDir, place);
        events.push(...requests.map(({ eventId }) => eventId));
        if (through === place) return { events, place };
        place = through;
      }
    };
    noteResend(dataDir, "test", EVENT);
    const { place } = readAll(0);
    appendFileSync(noted(), `${" ".repeat(1023)}\n`.repeat(1024));
    noteResend(dataDir, "test", OTHER);
    expect(readAll(place).events).toEqual([OTHER]);
    expect(readAll(resendsNoted(dataDir)).events).toEqual([]);
    full();
    noteResend(dataDir, "test", EVENT);
    const kept = readdirSync(listeningFolder(dataDir)).sort();
    expect(kept).toEqual(["resends-1.ndjson", "resends-2.ndjson"]);
    // A reader that was away longer starts with the oldest part left.
    expect(readAll(place).events[0]).toBe(OTHER);
  });

  test("a deleted list starts again", () => {
    makeListeningFolder(dataDir);
    noteResend(dataDir, "test", EVENT);
    noteResend(dataDir, "test", EVENT);
    const before = resendsNoted(dataDir);
    rmSync(noted());
    noteResend(dataDir, "test", OTHER);
    expect(readResends(dataDir, before).requests.map(({ eventId }) => eventId)).toEqual([OTHER]);
  });

  test("loses no request and reads none twice, however many arrive between two reads", () => {
    makeListeningFolder(dataDir);
    fc.assert(
      fc.property(fc.array(fc.nat(1500), { maxLength: 4 }), (counts) => {
        rmSync(noted(), { force: true });
        const asked: string[] = [];
        const read: string[] = [];
        let from = 0;
        for (const count of counts) {
          const ids = Array.from({ length: count }, (_none, index) => `evt_${asked.length + index}`);
          asked.push(...ids);
          appendFileSync(
            noted(),
            ids.map((event) => `${JSON.stringify({ mode: "test", event })}\n`).join(""),
          );
          for (
            let batch = readResends(dataDir, from);
            batch.through !== from;
            batch = readResends(dataDir, from)
          ) {
            read.push(...batch.requests.map(({ eventId }) => eventId));
            from = batch.through;
          }
        }
        expect(read).toEqual(asked);
        expect(from).toBe(asked.length === 0 ? 0 : readFileSync(noted()).length);
      }),
      { numRuns: 20 },
    );
  });
});
