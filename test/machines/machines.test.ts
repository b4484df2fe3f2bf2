/** A short run of what `npm run machines` does at length (CONTRIBUTING.md#several-machines). */
import { expect, test } from "vitest";
import { askForPostgres } from "../helpers/engines.ts";
import { play } from "./play.ts";

const postgres = await askForPostgres();

test.skipIf(postgres === undefined)(
  "two servers that are killed and cut off from their database file each document once, and no reader misses an event",
  async () => {
    const plan = { documents: 40, series: 4, kills: 1, cuts: 5, seed: 1 };
    const { violations, happened } = await play(postgres!, plan, () => undefined);
    expect(violations).toEqual([]);
    // Both kills, and each kind of cut.
    expect([...happened.values()]).toEqual(Array.from({ length: 7 }, () => 1));
  },
);
