/** Writes the mail about problems that began or ended (docs/contract.md#alerts). It contains nothing that `doctor` does not print. */
import type { Mode } from "../../../storage/stored-values.ts";
import type { Text } from "../../foundation/text.ts";
import { htmlOf, type Letter } from "../../mail/letter.ts";
import type { AlertChanges } from "./alert-changes.ts";

const TEXTS = {
  begun: { en: "These problems need attention:", el: "Τα παρακάτω προβλήματα χρειάζονται ενέργεια:" },
  ended: { en: "These problems have ended:", el: "Τα παρακάτω προβλήματα έληξαν:" },
  next: { en: "What to do", el: "Τι να κάνετε" },
  since: { en: "since", el: "από" },
  all: {
    en: "Run fiscal doctor to see everything that it finds now.",
    el: "Τρέξτε fiscal doctor για να δείτε όλα όσα βρίσκει τώρα.",
  },
  server: { en: "Server", el: "Διακομιστής" },
} as const satisfies Record<string, Text>;

export function writeAlert(
  { begun, ended }: AlertChanges,
  { language, url }: { language: keyof Text; url: string },
): Letter {
  const say = (text: Text) => text[language];
  const lines = [
    ...section(
      say(TEXTS.begun),
      begun.map(({ finding: { mode, message, next_step: next, subjects } }) => [
        `- ${inMode(mode)}${say(message)}`,
        ...(subjects.length === 0 ? [] : [`  ${subjects.join(", ")}`]),
        ...(next === null ? [] : [`  ${say(TEXTS.next)}: ${say(next)}`]),
      ]),
    ),
    ...section(
      say(TEXTS.ended),
      ended.map((row) => [
        `- ${inMode(row.mode)}${say({ en: row.message_en, el: row.message_el })} (${say(TEXTS.since)} ${row.began_at})`,
      ]),
    ),
    say(TEXTS.all),
    `${say(TEXTS.server)}: ${url}`,
  ];
  return {
    subject: `fiscal: ${say(subjectOf(begun.length, ended.length))}`,
    text: `${lines.join("\n")}\n`,
    html: `<!doctype html><html lang="${language}"><body>${htmlOf(lines, language)}</body></html>`,
  };
}

function inMode(mode: Mode | null): string {
  return mode === null ? "" : `[${mode}] `;
}

/** A heading and the items below it, each followed by an empty line; nothing without items. */
function section(heading: string, items: readonly string[][]): string[] {
  return items.length === 0 ? [] : [heading, "", ...items.flatMap((lines) => [...lines, ""])];
}

function subjectOf(begun: number, ended: number): Text {
  const parts: Text[] = [];
  if (begun > 0)
    parts.push({
      en: begun === 1 ? "1 new problem" : `${begun} new problems`,
      el: begun === 1 ? "1 νέο πρόβλημα" : `${begun} νέα προβλήματα`,
    });
  if (ended > 0)
    parts.push({
      en: ended === 1 ? "1 problem ended" : `${ended} problems ended`,
      el: ended === 1 ? "1 πρόβλημα έληξε" : `${ended} προβλήματα έληξαν`,
    });
  return { en: parts.map(({ en }) => en).join(", "), el: parts.map(({ el }) => el).join(", ") };
}
