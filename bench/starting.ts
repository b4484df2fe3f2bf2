/** Measures cold starts of the built program, compared with a Node process that does nothing. */
import { acceptDocument } from "../src/documents/accept.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "./material.ts";
import { PROGRAM, sampleRun } from "./processes.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, withFolder } from "./rounds.ts";

/** Starts are short, so they need more rounds. */
const ROUNDS_PER_ROUND = 4;

export async function benchStarting({ rounds }: Effort): Promise<Row[]> {
  const samples = await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    const { id } = await acceptDocument(appliance, buildBody(merchant, "one"), TEST_CAUSE);
    await appliance.stop(0);
    const start =
      (...args: string[]) =>
      () =>
        sampleRun(1, args, { HOME: folder, FISCAL_DATA_DIR: `${folder}/data` });
    const nothing = start("-e", "0");
    const version = start(PROGRAM, "--version");
    const show = start(PROGRAM, "documents", "show", id);
    // Keeps compiled code.
    await version();
    await show();
    return alternate(rounds * ROUNDS_PER_ROUND, { nothing, version, show });
  });
  const slower = (ours: Sample, nothing: Sample) => nothing.perSecond / ours.perSecond;
  const versionRow = rowOf(samples, {
    name: "starting-version",
    ours: "version",
    reference: "nothing",
    goal: { atMost: 1.2 },
    about: "`fiscal --version`, compared with `node -e 0`",
    value: slower,
  });
  const showRow = rowOf(samples, {
    name: "starting-show",
    ours: "show",
    reference: "nothing",
    goal: { atMost: 4 },
    about: "`fiscal documents show`, compared with `node -e 0`",
    value: slower,
  });
  return [versionRow, showRow];
}
