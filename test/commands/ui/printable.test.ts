/** Foreign text cannot control the terminal or forge lines of the log. */
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { printable, printableLines } from "../../../src/foundation/characters.ts";
import { createServiceLog, createTerminalLog } from "../../../commands/ui/log.ts";
import { issue } from "../../helpers/issuing.ts";
import { openWorkshop } from "../../helpers/program.ts";
import { addShop, receipt } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";

/** Reverses the text direction, so that `exe.txt` reads as `txt.exe`. */
const TURNED = "\u202eexe";
/** Clears the screen, in two encodings. */
const CLEARED = "\u001b[2J\u009b2J";
// oxlint-disable-next-line no-control-regex -- their absence is what is checked
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test("control characters become spaces; lines stay where lines are wanted", () => {
  expect(printable(`a${CLEARED}b\nc${TURNED}`)).toBe("a [2J 2Jb c exe");
  expect(printableLines(`a${CLEARED}b\r\nc`)).toBe("a [2J 2Jb \nc");
});

describe("the command line", () => {
  const workshop = forEachTest(openWorkshop);

  test("removes or escapes control characters in a merchant's name and its events", async () => {
    await workshop.run("merchants add --external-id turned --name shop --tax-id 123456783");
    // As an older version stored it; such names are rejected now.
    workshop.change(`update merchants set name = 'shop ${TURNED}'`);
    await workshop.run("merchants archive turned --yes");
    const { id } = (await workshop.list<{ id: string }>("events list"))[0]!;
    for (const args of [
      ["merchants", "list", "--archived", "true"],
      ["merchants", "show", "turned"],
      ["merchants", "show", "turned", "--json"],
      ["merchants", "list", "--archived", "true", "--json"],
      ["events", "show", id],
    ]) {
      const { stdout } = await workshop.run(args);
      expect(stdout).toContain("exe");
      expect(stdout).not.toMatch(STEERING);
    }
  });

  test("removes control characters from a file name in an error", async () => {
    await addShop(workshop);
    const { stderr } = await workshop.run(`documents issue ${CLEARED}.json --merchant shop`);
    expect(stderr).toContain("2J.json");
    expect(stderr).not.toMatch(STEERING);
  });

  test("removes control characters from the error of a rejected document", async () => {
    await addShop(workshop);
    expect((await issue(workshop, [receipt(`A ${TURNED}`, "rejected")])).stderr).not.toMatch(STEERING);
  });
});

const caught = () => {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => chunks.join("") };
};
const forged = `x${CLEARED}\n2026-01-01T00:00:00.000Z  info   all is well`;

test("a log for people never shows part of a field as a separate line", async () => {
  const service = caught();
  (await createServiceLog({ level: "info", format: "pretty" }, service.stream)).warn(
    { error: forged },
    "failed",
  );
  const terminal = caught();
  createTerminalLog(terminal.stream, false).warn({ error: forged }, "failed");
  for (const { text } of [service, terminal]) {
    expect(text()).toContainAll("failed (error=x", /\n {4}2026-01-01T00:00:00\.000Z {2}info/);
    expect(text()).not.toMatch(STEERING);
  }
});

test("a log for people writes one JSON line per entry, whatever a field contains", async () => {
  const service = caught();
  (await createServiceLog({ level: "info", format: "json" }, service.stream)).warn(
    { error: forged },
    "failed",
  );
  expect(service.text().trimEnd().split("\n")).toHaveLength(1);
  expect(service.text()).not.toContain("\u001b");
});

test("a tax number in a caller's request id does not reach the log", async () => {
  let logged = "";
  const stream = { write: (text: string) => void (logged += text), isTTY: false };
  const log = await createServiceLog({ level: "info", format: "json" }, stream as never);
  log.info({ request_id: "client:order-094012834", status: 200 }, "request answered");
  log.info({ request_id: "req_01939123-4567-7094-8012-834000000000" }, "request answered");
  const ids = logged
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).request_id);
  expect(ids).toEqual(["client:order-*********", "req_01939123-4567-7094-8012-834000000000"]);
});
