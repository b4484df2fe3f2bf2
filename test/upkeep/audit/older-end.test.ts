/** The newest events are removed, and the end of the journal that was stored before them is put back. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import { auditDatabase } from "../../../src/upkeep/audit/audit-journal.ts";
import { resume } from "../../../src/upkeep/resume.ts";
import { isHeld } from "../../../src/journal/held.ts";
import { readProgress, stateFileIn } from "../../../storage/database/lost-writes.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";
import { onEngines } from "../../helpers/engines.ts";
import { makeFolder } from "../../helpers/folder.ts";
import { withClient } from "../../helpers/postgres.ts";

const ENGINES = await onEngines({ SQLite: {}, PostgreSQL: {} });

const NOTE_END = "create table old_end as select chain_id, chain, chain_seal from appliance";
const PUT_BACK = [
  "delete from events where id > (select chain_id from old_end)",
  "update appliance set chain_id = (select chain_id from old_end), chain = (select chain from old_end), chain_seal = (select chain_seal from old_end)",
  "drop table old_end",
];

describe.each(ENGINES)("an older end put back on $engine", ({ makeStorage }) => {
  let folder: string;
  let env: Record<string, string>;
  beforeEach(async () => {
    folder = makeFolder();
    env = await makeStorage();
  });

  async function change(...statements: string[]): Promise<void> {
    const url = env["FISCAL_STORAGE__URL"];
    if (url !== undefined)
      return withClient(url, async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    const database = new Database(join(folder, "data", "fiscal.db"));
    for (const statement of statements) database.exec(statement);
    database.close();
  }

  const open = () => openBench({ folder, env });

  /** The ids that an audit finds something wrong with. */
  async function findWrong({ appliance }: Bench): Promise<(string | null)[]> {
    return (await auditDatabase(appliance.config, {})).problems.map(({ id }) => id);
  }

  test("holds the appliance until it is resumed, and the audit names it", async () => {
    let bench = await open();
    await bench.makeMerchant("one");
    await change(NOTE_END);
    await bench.makeMerchant("two");
    await bench.close();
    const { linkId } = readProgress(stateFileIn(bench.appliance.config.dataDir))!;
    await change(...PUT_BACK);

    bench = await open();
    try {
      expect(await isHeld(bench.appliance.store.read)).toBe(true);
      expect(await findWrong(bench)).toEqual([linkId]);
      await resume(bench.appliance);
      await bench.makeMerchant("three");
      expect(await isHeld(bench.appliance.store.read)).toBe(false);
    } finally {
      await bench.close();
    }
    bench = await open();
    expect(await isHeld(bench.appliance.store.read)).toBe(false);
    expect(await findWrong(bench)).toEqual([]);
    await bench.close();
  });
});
