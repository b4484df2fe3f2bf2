/** `fiscal erase`: permanently removes data about a tax number from the logs (docs/contract.md#erasure). */
import type { Appliance } from "../../src/appliance.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import type { Erasure } from "../../src/upkeep/retention/erasure-run.ts";
import { BOTH_MODES, CANNOT_BE_UNDONE, confirmChange, questionAbout, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT } from "../exit.ts";
import { withProgress } from "../ui/progress.ts";
import { askFor } from "../ui/prompt.ts";
import { verb } from "../define.ts";
import { countText } from "../../src/operations/view.ts";

const NOTES: Text = {
  en: `Removes the logged bodies and the provider's messages that mention the number, in both modes. In request ids and
idempotency keys a hash replaces it; repeated requests still work. Remembered customers with the number are forgotten. The
documents stay, as the law requires, and so do merchants.
Backups and the server's log are not changed. A second run finds nothing to remove.`,
  el: `Αφαιρεί τα καταγεγραμμένα σώματα και τα μηνύματα του παρόχου για το ΑΦΜ, και στις δύο λειτουργίες. Στους κωδικούς αιτημάτων
και στα κλειδιά επανάληψης το αντικαθιστά με σύνοψη (hash)· οι επαναλήψεις αιτημάτων συνεχίζουν να δουλεύουν. Οι πελάτες με αυτό το ΑΦΜ ξεχνιούνται. Τα παραστατικά μένουν,
όπως θέλει ο νόμος, και οι επιχειρήσεις επίσης. Τα αντίγραφα ασφαλείας και το αρχείο καταγραφής του διακομιστή δεν αλλάζουν.
Δεύτερη εκτέλεση δεν βρίσκει και δεν αλλάζει τίποτα.`,
};

/** The counts of an erasure with their names. */
const COUNTED = {
  documents: { en: "documents", el: "παραστατικά" },
  connections: { en: "connections", el: "συνδέσεις" },
  requests: { en: "requests", el: "αιτήματα" },
  provider_calls: { en: "provider calls", el: "κλήσεις προς τον πάροχο" },
  events: { en: "events", el: "συμβάντα" },
  idempotency_keys: { en: "idempotency keys", el: "κλειδιά επανάληψης" },
  connect_sessions: { en: "return addresses of connect links", el: "διευθύνσεις επιστροφής συνδέσμων" },
  customers: { en: "customers", el: "πελάτες" },
  lookups: { en: "lookups", el: "αναζητήσεις" },
  listing_windows: { en: "pages of a provider's lists", el: "σελίδες καταλόγων του παρόχου" },
  deliveries: { en: "webhook deliveries", el: "αποστολές webhook" },
  mails: { en: "email addresses", el: "διευθύνσεις email" },
} as const satisfies Partial<Record<keyof Erasure, Text>>;
const COUNTED_KEYS = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

export const defineErase = verb({
  flags: {
    "--tax-id <number>": { en: "the tax number", el: "το ΑΦΜ του οποίου αφαιρούνται τα ίχνη" },
    "--dry-run": { en: "count what would be removed", el: "τα μετρά, χωρίς να αλλάξει τίποτα" },
    ...YES,
  },
  notes: NOTES,
  examples: ["fiscal erase --tax-id 123456783 --dry-run", "fiscal erase --tax-id 123456783 --yes"],
  fields: ["object", "dry_run", ...COUNTED_KEYS],
  async run(context, options) {
    const { io } = context;
    const taxId = await askFor(io, options.taxId, {
      flag: "--tax-id",
      message: { en: "Tax number", el: "ΑΦΜ" },
    });
    const masked = await mask(taxId);
    const isDry = options.dryRun === true;
    const erasure = await context.withAppliance(async (appliance) => {
      if (!isDry && options.yes !== true) {
        const found = await erase(context, appliance, taxId, true);
        // Nothing to ask about. With --yes the erasure still runs, because a killed run may lack its last step.
        if (isEmpty(found)) return { ...found, dry_run: false };
        if (!(await confirmChange(context, options, questionOn(found, masked)))) return undefined;
      }
      return erase(context, appliance, taxId, isDry);
    });
    return erasure === undefined ? EXIT.failure : { object: erasure, shown: summarise(erasure, masked) };
  },
});

function questionOn(found: Erasure, masked: string): Text {
  const about = { en: `Remove about tax number ${masked}`, el: `Να αφαιρεθούν για το ΑΦΜ ${masked}` };
  return questionAbout(about, [describe(found), BOTH_MODES], CANNOT_BE_UNDONE);
}

/** Counts (`dryRun`) or removes, with progress on the terminal. */
async function erase(
  context: CommandContext,
  appliance: Appliance,
  taxId: string,
  dryRun: boolean,
): Promise<Erasure> {
  const { eraseTaxId } = await import("../../src/upkeep/retention/erase-tax-number.ts");
  const label = dryRun ? { en: "searching", el: "αναζήτηση" } : { en: "erasing", el: "διαγραφή" };
  return withProgress(context.io, label, ({ update }) =>
    eraseTaxId(appliance, taxId, { dryRun, onProgress: (done) => update(done) }),
  );
}

/** A tax number may be personal data: only its last characters are shown, and none of a short one. */
const SHOWN_CHARACTERS = 3;

async function mask(taxId: string): Promise<string> {
  const { normaliseTaxCode } = await import("../../src/domain/tax-number.ts");
  const code = normaliseTaxCode(taxId);
  return code.length > 2 * SHOWN_CHARACTERS ? `…${code.slice(-SHOWN_CHARACTERS)}` : "…";
}

function isEmpty(erasure: Erasure): boolean {
  return COUNTED_KEYS.every((key) => erasure[key] === 0);
}

/** `documents 1, requests 2`, without zero counts. */
function describe(erasure: Erasure): Text {
  const counted = COUNTED_KEYS.filter((key) => erasure[key] > 0);
  return joinTexts(
    counted.map((key) => joinTexts([COUNTED[key], countText(erasure[key])], " ")),
    ", ",
  );
}

function summarise(erasure: Erasure, masked: string): Text {
  if (isEmpty(erasure))
    return {
      en: `There is nothing left to remove about tax number ${masked}.`,
      el: `Δεν απομένει τίποτα να αφαιρεθεί για το ΑΦΜ ${masked}.`,
    };
  const { en, el } = describe(erasure);
  return erasure.dry_run
    ? {
        en: `Would be removed about tax number ${masked}: ${en}.`,
        el: `Θα αφαιρούνταν για το ΑΦΜ ${masked}: ${el}.`,
      }
    : {
        en: `Removed about tax number ${masked}: ${en}. The fiscal core of the documents stays.`,
        el: `Αφαιρέθηκαν για το ΑΦΜ ${masked}: ${el}. Ο φορολογικός πυρήνας των παραστατικών μένει.`,
      };
}
