/** The labels that several objects share, in lists, details and filters. */
import type { Text } from "../foundation/text.ts";

export const LABELS = {
  branch: { en: "branch", el: "εγκατάσταση" },
  country: { en: "country", el: "χώρα" },
  customer: { en: "customer", el: "πελάτης" },
  created: { en: "created", el: "δημιουργία" },
  document: { en: "document", el: "παραστατικό" },
  duration: { en: "duration", el: "διάρκεια" },
  events: { en: "events", el: "συμβάντα" },
  externalId: { en: "external id", el: "εξωτερικό id" },
  mark: { en: "MARK", el: "ΜΑΡΚ" },
  gross: { en: "gross", el: "σύνολο" },
  merchant: { en: "merchant", el: "επιχείρηση" },
  mode: { en: "mode", el: "λειτουργία" },
  name: { en: "name", el: "επωνυμία" },
  number: { en: "number", el: "αριθμός" },
  operation: { en: "operation", el: "ενέργεια" },
  provider: { en: "provider", el: "πάροχος" },
  reference: { en: "reference", el: "αναφορά" },
  status: { en: "status", el: "κατάσταση" },
  taxNumber: { en: "tax number", el: "ΑΦΜ" },
  type: { en: "type", el: "τύπος" },
} as const satisfies Record<string, Text>;
