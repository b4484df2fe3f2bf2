/** Measures cold starts of the built program, compared with a Node process that does nothing. */
import { acceptDocument } from "../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "./material.ts";
import { PROGRAM, run } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, withFolder } from "./rounds.ts";

/** Starts are short, so they need more rounds. */
const ROUNDS_PER_ROUND = 4;

export async function* benchStarting({ rounds }: Effort): AsyncGenerator<Row> {
  const measured = await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    const { id } = await acceptDocument(appliance, buildBody(merchant, "one"), TEST_CAUSE);
    await appliance.stop(0);
    const start = (...args: string[]) => ({
      async once(): Promise<Sample> {
        const env = { HOME: folder, FISCAL_DATA_DIR: `${folder}/data` };
        const { elapsedMs, cpuMs } = await run(args, env);
        return { perSecond: 1000 / elapsedMs, p50Ms: elapsedMs, cpuMicros: cpuMs && cpuMs * 1000 };
      },
    });
    const nothing = start("-e", "0");
    const version = start(PROGRAM, "--version");
    const show = start(PROGRAM, "documents", "show", id);
    // Keeps compiled code.
    await version.once();
    await show.once();
    return alternate(rounds * ROUNDS_PER_ROUND, {
      nothing: nothing.once,
      version: version.once,
      show: show.once,
    });
  });
  const slower = (ours: Sample, nothing: Sample) => ours.p50Ms! / nothing.p50Ms!;
  yield rowOf(measured, {
    name: "starting-version",
    ours: "version",
    reference: "nothing",
    goal: { atMost: 1.2 },
    about: "`fiscal --version`, compared with `node -e 0`",
    value: slower,
  });
  yield rowOf(measured, {
    name: "starting-show",
    ours: "show",
    reference: "nothing",
    goal: { atMost: 4 },
    about: "`fiscal documents show`, compared with `node -e 0`",
    value: slower,
  });
}
