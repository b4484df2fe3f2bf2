import { describe, expect, test } from "vitest";
import * as v from "valibot";
import type { EventObject } from "../../src/journal/event-object.ts";
import { EventObjectSchema } from "../../src/webhooks/event-schema.ts";
import { issue } from "../helpers/issuing.ts";
import { type RunningProgram, expectPrinted } from "../helpers/program.ts";
import { receipt, openShop } from "../helpers/receipts.ts";
import { forEachTest } from "../helpers/set-up.ts";

const workshop = forEachTest(openShop);

const list = (flags = "") => workshop.list<EventObject>(`events list ${flags}`);

test("events list and show print the API's own objects, newest first", async () => {
  await issue(workshop, [receipt("A-1")]);
  const events = (await list()).map((event) => v.parse(EventObjectSchema, event));
  expect(events.map(({ type }) => type)).toEqual(["document.issued", "document.created", "merchant.created"]);
  // A command is not an API request.
  expect(events.map(({ request }) => request)).toEqual([null, null, null]);
  expect(await workshop.read(`events show ${events[0]!.id}`)).toEqual(events[0]);
  expect((await workshop.run(`events show ${events[0]!.id}`)).stdout).toMatch(/^type +document\.issued$/m);
  expect(await workshop.run(`events show ${events[0]!.id} --live`)).toMatchObject({
    exitCode: 3,
    stdout: "",
  });
});

test("events list and show filter by types that are repeated or separated by commas", async () => {
  await issue(workshop, [receipt("A-1"), receipt("A-2")]);
  const chosen = (await list()).filter(({ type }) => type !== "document.issued");
  expect(await list("--type document.created --type merchant.created")).toEqual(chosen);
  expect(await list("--type document.created,merchant.created")).toEqual(chosen);
});

describe("events tail", () => {
  const BEGUN = "Following the list";

  /** Interrupts after `count` events. */
  function stopAfter(count: number, onBegin?: () => void): (text: string, program: RunningProgram) => void {
    let seen = 0;
    return (text, program) => {
      if (text.startsWith(BEGUN)) return onBegin?.();
      seen += 1;
      if (seen >= count) program.interrupt();
    };
  }

  test("continues after the event of --after", async () => {
    await issue(workshop, [receipt("A-1")]);
    const [, created] = await list();
    const run = await workshop.run(`events tail --after ${created!.id}`, { onOutput: stopAfter(1) });
    const row = /^created\ttype\tabout\tid\n\S+ \S+\tdocument\.issued\tdoc_\w{22}\tevt_\w{22}\n$/;
    expectPrinted(run, 130, row);
  });

  test("shows only new events without a flag", async () => {
    await issue(workshop, [receipt("A-1")]);
    let begun: (() => void) | undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const tail = workshop.run("events tail --type document.created", {
      onOutput: stopAfter(1, () => begun?.()),
    });
    await beginning;
    await issue(workshop, [receipt("A-2")]);
    const run = await tail;
    expect(run.exitCode).toBe(130);
    const { data } = await workshop.read<{ data: { id: string }[] }>("documents list");
    expect(run.stdout).toContain(data[0]!.id);
    expect(run.stdout).not.toContain(data[1]!.id);
  });
});
