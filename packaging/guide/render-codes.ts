/** Writes the pages of the guide about the error codes of the authority: `npm run guide:codes`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withCommand } from "../../commands/next-steps.ts";
import {
  type ExplainedCode,
  explainCode,
  KNOWN_CODES,
  LOOK_AT_CALL,
  verdictOf,
} from "../../src/domain/authority-codes.ts";
import type { Language, Text } from "../../src/foundation/text.ts";

export type PageLanguage = Language;

const MARKER = "<!-- Generated from src/domain/authority-codes.ts by `npm run guide:codes`. -->";

const HEADING: Text = { en: "The authority's codes", el: "Κωδικοί της ΑΑΔΕ" };

const INTRODUCTION: Text = {
  en: "What each error code of the tax authority means, what fiscal does by itself, and what you do. The terminal explains a single code: `fiscal errors explain 102`. A code that is not here: `fiscal documents show` prints the authority's own message.",
  el: "Τι σημαίνει κάθε κωδικός σφάλματος της ΑΑΔΕ, τι κάνει μόνο του το fiscal και τι κάνετε εσείς. Έναν κωδικό τον εξηγεί και το τερματικό: `fiscal errors explain 102`. Για κωδικό που δεν είναι εδώ, το μήνυμα της ΑΑΔΕ το τυπώνει η `fiscal documents show`.",
};

interface Group {
  heading: Text;
  /** What fiscal does by itself. */
  reaction: Text;
  has(explained: ExplainedCode): boolean;
  /** Whether each code has its own step; otherwise the reaction says it all. */
  hasSteps: boolean;
}

function isRefused({ code }: ExplainedCode): boolean {
  return verdictOf(code, null) === "refused";
}

function isRefusedAccount({ code }: ExplainedCode): boolean {
  return verdictOf(code, null) === "credentials";
}

const GROUPS: readonly Group[] = [
  {
    heading: { en: "Rejected", el: "Απορρίψεις" },
    reaction: {
      en: "The document is rejected and is not sent again. Its number is free for the next one. Issue it again, corrected, under a new reference. If a cancellation was refused, the document stays issued.",
      el: "Το παραστατικό απορρίπτεται και δεν ξαναστέλνεται. Ο αριθμός του μένει ελεύθερος για το επόμενο. Εκδώστε το ξανά, διορθωμένο, με νέα αναφορά. Αν απορρίφθηκε ακύρωση, το παραστατικό παραμένει σε ισχύ.",
    },
    has: (explained) => isRefused(explained) && explained.next !== LOOK_AT_CALL,
    hasSteps: true,
  },
  {
    heading: { en: "The connection is not accepted", el: "Η σύνδεση δεν γίνεται δεκτή" },
    reaction: {
      en: "Nothing was registered. The documents wait and keep their numbers. They are sent once the connection is verified.",
      el: "Τίποτα δεν καταχωρίστηκε. Τα παραστατικά περιμένουν και κρατούν τους αριθμούς τους. Στέλνονται μόλις επαληθευτεί η σύνδεση.",
    },
    has: isRefusedAccount,
    hasSteps: true,
  },
  {
    heading: { en: "fiscal looks it up", el: "Το αναζητά μόνο του το fiscal" },
    reaction: {
      en: "You do nothing. The document may be registered, so fiscal asks the authority first. If it is there, it takes over its MARK, otherwise it is sent again. `fiscal documents show` says how it ended.",
      el: "Δεν κάνετε τίποτα. Το παραστατικό ίσως έχει καταχωριστεί, γι' αυτό το fiscal ρωτά πρώτα την ΑΑΔΕ. Αν υπάρχει εκεί, παίρνει το ΜΑΡΚ του, αλλιώς στέλνεται ξανά. Πώς τελείωσε το δείχνει η `fiscal documents show`.",
    },
    has: (explained) => !isRefused(explained) && !isRefusedAccount(explained),
    hasSteps: false,
  },
  {
    heading: { en: "Perhaps a defect of fiscal", el: "Ίσως σφάλμα του fiscal" },
    reaction: LOOK_AT_CALL,
    has: (explained) => isRefused(explained) && explained.next === LOOK_AT_CALL,
    hasSteps: false,
  },
];

export function renderCodesPage(language: PageLanguage): string {
  const explained = KNOWN_CODES.map((code) => explainCode(code)!);
  const groups = GROUPS.map((group) => renderGroup(group, explained.filter(group.has), language));
  return `# ${HEADING[language]}\n\n${MARKER}\n\n${INTRODUCTION[language]}\n\n${groups.join("\n")}`;
}

const COLUMNS: readonly Text[] = [
  { en: "Code", el: "Κωδικός" },
  { en: "What it means", el: "Τι σημαίνει" },
  { en: "What you do", el: "Τι κάνετε" },
];

function renderGroup(group: Group, explained: readonly ExplainedCode[], language: PageLanguage): string {
  const { heading, reaction, hasSteps } = group;
  const row = (cells: readonly string[]) => `| ${cells.slice(0, hasSteps ? 3 : 2).join(" | ")} |\n`;
  const head = `${row(COLUMNS.map((name) => name[language]))}${row(["---", "---", "---"])}`;
  const rows = explained.map(({ code, meaning, next }) =>
    row([code, meaning[language], withCommand(next)[language]]),
  );
  return `## ${heading[language]}\n\n${reaction[language]}\n\n${head}${rows.join("")}`;
}

if (import.meta.main) {
  const guide = join(import.meta.dirname, "../../docs/guide");
  writeFileSync(join(guide, "codes.md"), renderCodesPage("el"));
  writeFileSync(join(guide, "en/codes.md"), renderCodesPage("en"));
}
