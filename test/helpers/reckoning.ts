/** Checks that documents, MARKs, filings, events and numbers are consistent after a failure. */
import { expect } from "vitest";
import { getDocument, listDocuments } from "../../src/documents/list-documents.ts";
import { listEvents } from "../../src/journal/event-object.ts";
import type { Bench } from "./appliance.ts";
import { type ProgramEnvironment, runBuilt } from "./server-process.ts";

/** Waits until no document in the key's mode is pending. */
export async function waitUntilFinal(url: string, key: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/v1/documents?status=pending&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: unknown[] };
    if (data.length === 0) return;
    await new Promise((turn) => setTimeout(turn, 200));
  }
}

/** Checks that exactly the documents `ids` exist, each issued with one MARK, one filing and two events. */
export async function checkEverything({ appliance }: Bench, ids: readonly string[]): Promise<void> {
  const marks = new Set<string>();
  for (const id of ids) {
    const document = await getDocument(appliance, "test", id);
    expect(document.status).toBe("issued");
    marks.add(document.mark!);
    const types = (await listEvents(appliance, "test", { limit: 100, document: id })).data.map(
      ({ type }) => type,
    );
    expect(types).toEqual(["document.issued", "document.created"]);
  }
  expect(marks.size).toBe(ids.length);
  // No other document was accepted, and the sandbox's own ledger has one filing per uid.
  let all = 0;
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await listDocuments(appliance, "test", {
      limit: 100,
      ...(cursor === undefined ? {} : { starting_after: cursor }),
    });
    all += page.data.length;
    cursor = page.data.at(-1)?.id;
    more = page.has_more;
  }
  expect(all).toBe(ids.length);
  const filings = await appliance.store.read.query((db) => db.selectFrom("sandbox_filings").select("uid"));
  expect(filings.length).toBe(ids.length);
  expect(new Set(filings.map(({ uid }) => uid)).size).toBe(ids.length);
}

/** Checks that the counters of the data directory have `count` numbers, each from 1 on without a gap, and all issued. */
export async function checkNumbers(environment: ProgramEnvironment, count: number): Promise<void> {
  const audit = await runBuilt(["numbering", "audit", "--json"], environment);
  expect(audit.code).toBe(0);
  const { counters } = JSON.parse(audit.stdout) as {
    counters: { numbers: { number: number; state: string }[] }[];
  };
  const numbers = counters.flatMap((counter) => counter.numbers);
  expect(numbers).toMatchObject(
    counters.flatMap((counter) =>
      counter.numbers.map((_, index) => ({ number: index + 1, state: "issued" })),
    ),
  );
  expect(numbers).toHaveLength(count);
}
