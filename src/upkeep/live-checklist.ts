/** Checks whether a merchant is ready to issue in live mode. Reads only, and contacts nobody. */
import { providerName } from "../domain/document-codes.ts";
import { usesPostgres } from "../config/addresses.ts";
import { listConnections } from "../connections/connections.ts";
import { listDocuments } from "../documents/list-documents.ts";
import { joinTexts, type Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";
import type { MerchantObject } from "../merchants/merchant-object.ts";
import { getSettings, type Settings } from "../merchants/settings.ts";

export interface ChecklistItem {
  id: "merchant" | "tax_id" | "connection" | "rehearsal" | "settings" | "paper" | "backup";
  ok: boolean;
  what: Text;
}

/** The items in the order in which they are best done. */
export async function checkLiveReadiness(
  context: Context,
  merchant: MerchantObject,
): Promise<ChecklistItem[]> {
  const test = await getSettings(context, merchant.id, "test");
  const live = await getSettings(context, merchant.id, "live");
  const providers = await activeProviders(context, merchant);
  const issued = await listDocuments(context, "test", { merchant: merchant.id, status: "issued", limit: 1 });
  const missing = missingSettings(test, live);
  return [
    item("merchant", !merchant.archived, {
      yes: { en: "The business is active.", el: "Η επιχείρηση είναι ενεργή." },
      no: {
        en: "The business is archived: unarchive it.",
        el: "Η επιχείρηση είναι αρχειοθετημένη: επαναφέρετέ την.",
      },
    }),
    item("tax_id", merchant.tax_id !== null, {
      yes: { en: `The tax number is ${merchant.tax_id}.`, el: `Το ΑΦΜ είναι ${merchant.tax_id}.` },
      no: {
        en: "The business has no tax number, so it could issue under any supplier's: set it.",
        el: "Η επιχείρηση δεν έχει ΑΦΜ, οπότε θα μπορούσε να εκδώσει με το ΑΦΜ άλλου: ορίστε το.",
      },
    }),
    item("connection", providers.length > 0, {
      yes: connectedText(context, providers),
      no: {
        en: "There is no active live connection: connect the business to a licensed provider, or to the tax authority.",
        el: "Δεν υπάρχει ενεργή σύνδεση παραγωγικής λειτουργίας: συνδέστε την επιχείρηση με πάροχο ή με την ΑΑΔΕ.",
      },
    }),
    item("rehearsal", issued.data.length > 0, {
      yes: { en: "Test documents have been issued.", el: "Έχουν εκδοθεί δοκιμαστικά παραστατικά." },
      no: {
        en: "No test document has been issued: issue one of each type that the business uses, and look at its PDF.",
        el: "Δεν έχει εκδοθεί δοκιμαστικό παραστατικό: εκδώστε ένα από κάθε τύπο που χρησιμοποιεί η επιχείρηση και δείτε το PDF.",
      },
    }),
    item("settings", missing.length === 0, {
      yes: {
        en: "Everything that is set in test mode is set in live mode.",
        el: "Ό,τι έχει οριστεί στη δοκιμαστική λειτουργία έχει οριστεί και στην παραγωγική.",
      },
      no: joinTexts([SETTINGS_DIFFER, joinTexts(missing, ", ")], ": "),
    }),
    item("paper", live.paper.address !== undefined, {
      yes: {
        en: "Paper shows the business's address.",
        el: "Το έντυπο δείχνει τη διεύθυνση της επιχείρησης.",
      },
      no: {
        en: "An invoice must show the business's address: set it in live mode.",
        el: "Το τιμολόγιο πρέπει να δείχνει τη διεύθυνση της επιχείρησης: ορίστε την στην παραγωγική λειτουργία.",
      },
    }),
    backupItem(context),
  ];
}

function item(
  id: ChecklistItem["id"],
  ok: boolean,
  { yes, no }: Readonly<Record<"yes" | "no", Text>>,
): ChecklistItem {
  return { id, ok, what: ok ? yes : no };
}

async function activeProviders(context: Context, { id }: MerchantObject): Promise<string[]> {
  const { data } = await listConnections(context, "live", id, { limit: 100 });
  return data.filter(({ status }) => status === "active").map(({ provider }) => provider);
}

/** The tax authority's own channel is not open to every document (docs/contract.md#regime). */
function connectedText({ config }: Context, providers: readonly string[]): Text {
  const names = providers.map(providerName).join(", ");
  const isDirectOnly = providers.every((provider) => provider === "registry_direct");
  if (!isDirectOnly || config.providers.registryDirect.regime === "off")
    return { en: `Connected to ${names}.`, el: `Σύνδεση: ${names}.` };
  return {
    en: `Connected to ${names}, which serves customers in other EU countries; other invoices and retail receipts need a licensed provider.`,
    el: `Σύνδεση: ${names}, για πελάτες σε άλλες χώρες της ΕΕ· τα άλλα τιμολόγια και οι αποδείξεις λιανικής θέλουν πάροχο.`,
  };
}

const SETTINGS_DIFFER: Text = {
  en: "Live mode has settings of its own. Set in test mode only",
  el: "Η παραγωγική λειτουργία έχει δικές της ρυθμίσεις. Έχουν οριστεί μόνο στη δοκιμαστική",
};

const PARTS = {
  classification: { en: "classification", el: "χαρακτηρισμοί" },
  numbering: { en: "series", el: "σειρές" },
  paper: { en: "paper", el: "στοιχεία εντύπου" },
} as const;

function missingSettings(test: Settings, live: Settings): Text[] {
  const missing: Text[] = (Object.keys(PARTS) as (keyof typeof PARTS)[])
    .filter((part) => Object.keys(test[part]).length > 0 && Object.keys(live[part]).length === 0)
    .map((part) => PARTS[part]);
  if (test.vat_payment_suspension && !live.vat_payment_suspension)
    missing.push({ en: "VAT payment suspension", el: "αναστολή καταβολής ΦΠΑ" });
  return missing;
}

function backupItem({ config: { storage, backup } }: Context): ChecklistItem {
  return item("backup", usesPostgres(storage) || backup.schedule !== "", {
    yes: usesPostgres(storage)
      ? {
          en: "PostgreSQL's own tools make the backups; keep the master key elsewhere.",
          el: "Τα αντίγραφα τα κάνουν τα εργαλεία της PostgreSQL· φυλάξτε το κύριο κλειδί αλλού.",
        }
      : {
          en: "Backups are scheduled; keep a copy of the master key elsewhere.",
          el: "Έχουν προγραμματιστεί αντίγραφα ασφαλείας· φυλάξτε αλλού και το κύριο κλειδί.",
        },
    no: {
      en: "No backups are scheduled: set backup.schedule, and keep a copy of the master key elsewhere.",
      el: "Δεν έχουν προγραμματιστεί αντίγραφα ασφαλείας: ορίστε το backup.schedule και φυλάξτε αλλού το κύριο κλειδί.",
    },
  });
}
