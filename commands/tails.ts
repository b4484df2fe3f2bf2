/** The verb `tail` of lists: prints new items as they arrive. */
import { type Text, toText } from "../src/foundation/text.ts";
import type { Operation, Tail } from "../src/operations/operation.ts";
import type { QueryFields } from "../src/operations/field.ts";
import { runOperation } from "../src/operations/run-operation.ts";
import { causeOf, type CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { filterFlags, type FlagValues, queryOf } from "./flags.ts";
import { printNote, write } from "./io.ts";
import { type LazyCommand, verb } from "./define.ts";
import { contradiction, UNTIL_INTERRUPTED } from "./options.ts";
import { printJsonLine } from "./ui/json.ts";
import { printTable } from "./ui/table.ts";
import { printable } from "../src/foundation/characters.ts";
import { fieldsOf } from "./verb.ts";

interface TailOptions extends FlagValues {
  after?: string;
  fromStart?: boolean;
}

/** Short enough to feel immediate, long enough to cost nothing. */
const TAIL_INTERVAL_MS = 500;

const STARTED: Text = {
  en: "Following the list; Ctrl-C ends it.",
  el: "Παρακολουθείται η λίστα· σταματά με Ctrl-C.",
};

/** The verb `tail` of a list that can be followed. */
export function tailOf(operation: Operation): LazyCommand {
  const { tail } = operation;
  if (tail === undefined) throw new Error(`${operation.id} cannot be followed`);
  const define = verb({
    flags: {
      ...filterFlags(operation, "others"),
      "--after <id>": {
        en: "start with those after this one",
        el: "ξεκινά από όσα ακολουθούν μετά από αυτό",
      },
      "--from-start": { en: "start with the oldest", el: "ξεκινά από τα παλαιότερα" },
    },
    examples: [{ line: tail.example, note: UNTIL_INTERRUPTED }],
    fields: fieldsOf(operation),
    run: (context, options: TailOptions) => runTail(context, operation, tail, options),
  });
  return { ...tail.summary, operation, load: async () => define };
}

/** Prints new items until it is interrupted, which is its normal end (exit code 130). Without a flag it starts after the newest. */
async function runTail(
  context: CommandContext,
  operation: Operation,
  { follow }: Tail<QueryFields, unknown>,
  options: TailOptions,
): Promise<ExitCode> {
  const { io } = context;
  if (options.after !== undefined && options.fromStart === true)
    throw contradiction("--after", "--from-start");
  const columns = operation.table?.columns ?? [];
  await context.interruptible(async (appliance, mode, signal) => {
    const newest = async () => {
      const call = { context: appliance, mode, query: { limit: 1 }, cause: causeOf(mode) };
      const { response } = await runOperation(operation, call);
      return (response as { data: { id: string }[] }).data[0]?.id;
    };
    const isOpenEnded = options.after === undefined && options.fromStart !== true;
    const after = isOpenEnded ? await newest() : options.after;
    await printNote(io, STARTED);
    const filters = await queryOf(appliance, mode, operation, options);
    const from = { after, signal, intervalMs: TAIL_INTERVAL_MS };
    let isFirst = true;
    for await (const item of follow(appliance, mode, { ...filters, ...from })) {
      if (context.options.json === true) await printJsonLine(io, item);
      else if (io.stdout.isTTY !== true) await printTable(io, columns, [item], { continues: !isFirst });
      else {
        const cells = columns.map(({ value }) => context.inLanguage(toText(value(item))));
        await write(io.stdout, `${printable(cells.join("  "))}\n`);
      }
      isFirst = false;
    }
  });
  return EXIT.interrupted;
}
