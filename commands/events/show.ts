/** `fiscal events show`: one event with its snapshot. */
import type { Command } from "commander";
import { getEvent } from "../../src/journal/list-events.ts";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { printableLines } from "../ui/printable.ts";
import { printFields } from "../ui/table.ts";
import { instantText } from "../ui/values.ts";
import { wordText } from "../ui/words.ts";

export function defineShow(command: Command, context: CommandContext): void {
  command.action((id: string) => context.end(show(context, id)));
  addExamples(command, context, "fiscal events show evt_… --json");
}

async function show(context: CommandContext, id: string): Promise<void> {
  const { io } = context;
  const event = await context.withAppliance((appliance, mode) => getEvent(appliance, mode, id));
  if (context.options.json === true) return printJson(io, event);
  await printFields(io, [
    ["id", event.id],
    [{ en: "type", el: "τύπος" }, event.type],
    [{ en: "created", el: "δημιουργία" }, instantText(event.created)],
    [{ en: "mode", el: "λειτουργία" }, wordText(event.livemode ? "live" : "test")],
    [{ en: "caused by request", el: "από το αίτημα" }, event.request?.id ?? null],
    [{ en: "about", el: "αφορά" }, event.data.object.id],
  ]);
  await write(io.stdout, `${printableLines(JSON.stringify(event.data, null, 2))}\n`);
}
