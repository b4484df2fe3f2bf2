/** The `--events` flag, which selects event types. */
import type { Command } from "commander";
import { EVENT_TYPES, type EventType } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { choices } from "../options.ts";

export const ALL_TYPES = "*";

export interface EventTypesOption {
  events?: readonly (EventType | typeof ALL_TYPES)[];
}

export function addEventTypesOption(command: Command, { inLanguage }: CommandContext): Command {
  return command.option(
    "--events <types...>",
    inLanguage({
      en: `event types, separated by spaces or commas; '${ALL_TYPES}' for all`,
      el: `τύποι συμβάντων, με κενά ή κόμματα ανάμεσα· '${ALL_TYPES}' για όλους`,
    }),
    choices("--events", [ALL_TYPES, ...EVENT_TYPES]),
  );
}
