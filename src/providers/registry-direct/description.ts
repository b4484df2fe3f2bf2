/** The static description of registry_direct: its name, limits and credentials form. */
import type { CredentialsForm } from "../../domain/credentials-form.ts";
import { integer, url, word } from "../../foundation/setting-kinds.ts";
import type { Text } from "../../foundation/text.ts";
import type { BuiltInDescription } from "../../domain/provider-adapter.ts";

const COPY_BOTH: Text = {
  en: "Copy the user name and the subscription key to this page.",
  el: "Αντιγράψτε εδώ το όνομα χρήστη και το κλειδί (subscription key).",
};

/** Both values are sent in headers. The user id counts as a credential too (docs/contract.md#credentials). */
const CREDENTIALS: CredentialsForm = {
  fields: [
    {
      name: "user_id",
      label: { en: "User name of the myDATA REST API", el: "Όνομα χρήστη του myDATA REST API" },
      secret: true,
      required: true,
      lengthMax: 100,
      ascii: true,
      help: {
        en: "As registered; not the user name for TAXISnet.",
        el: "Όπως δηλώθηκε στην εγγραφή· όχι το όνομα χρήστη του TAXISnet.",
      },
    },
    {
      name: "subscription_key",
      label: { en: "Subscription key", el: "Κλειδί (subscription key)" },
      secret: true,
      required: true,
      lengthMax: 200,
      ascii: true,
      help: {
        en: "The key that AADE shows for this user. Copy all of it.",
        el: "Το κλειδί που δείχνει η ΑΑΔΕ για αυτόν τον χρήστη. Αντιγράψτε το ολόκληρο.",
      },
    },
  ],
  guides: {
    live: {
      url: "https://www1.aade.gr/saadeapps2/bookkeeper-web",
      steps: [
        {
          en: "Sign in to AADE’s myDATA with the TAXISnet account of the business.",
          el: "Συνδεθείτε στο myDATA της ΑΑΔΕ με τους κωδικούς TAXISnet της επιχείρησης.",
        },
        {
          en: "Open “Εγγραφή στο myDATA REST API” (registration for the REST API) and create or select a user.",
          el: "Ανοίξτε την «Εγγραφή στο myDATA REST API» και δημιουργήστε ή διαλέξτε έναν χρήστη.",
        },
        COPY_BOTH,
      ],
    },
    test: {
      url: "https://mydata-dev-register.azurewebsites.net",
      steps: [
        {
          en: "Register in myDATA’s test environment. Users and keys of the live environment do not work there.",
          el: "Εγγραφείτε στο δοκιμαστικό περιβάλλον του myDATA. Το κανονικό έχει άλλους χρήστες και άλλα κλειδιά.",
        },
        COPY_BOTH,
      ],
    },
  },
};

/**
 * The authority accepts 5000 documents per message (its error 265). Fifty already make a series fifty times as fast,
 * and their response arrives well within the timeout. More would gain little, while each lost response, or message
 * refused as a whole and repeated one by one, would affect more documents.
 */
export const DOCUMENTS_MAX = 50;

/** One listing covers every document of a day and type; each document in a query is a row to write. */
const ASK_BATCH_MAX = 200;

const DAY_SECONDS = 86_400;

export const REGISTRY_DIRECT = {
  provider: "registry_direct",
  name: { en: "AADE myDATA (the Greek tax authority)", el: "ΑΑΔΕ myDATA" },
  numbering: "ours",
  issueBatchMax: DOCUMENTS_MAX,
  askBatchMax: ASK_BATCH_MAX,
  canCancel: true,
  // The authority has a page for each document (its QR address), and no PDF.
  hasPdf: false,
  isAuthority: true,
  credentials: CREDENTIALS,
  settings: {
    // The live host is spelt with one "a" fewer than the test host (docs/authority.md#addresses).
    test_url: url(
      "https://mydataapidev.aade.gr",
      "Address of the test environment, up to the name of the method.",
    ),
    live_url: url(
      "https://mydatapi.aade.gr/myDATA",
      "Address of the live environment, up to the name of the method.",
    ),
    timeout_seconds: integer(
      30,
      1,
      300,
      "Seconds to wait for a response. After that the outcome is unknown, and the authority is asked about the document before anything is sent again.",
    ),
    settle_seconds: integer(
      120,
      0,
      DAY_SECONDS,
      "Seconds after which a document with an unknown outcome that the authority still does not list counts as not registered. If it is too low, a document that arrived late is sent twice.",
    ),
    regime: word(
      "",
      ["", "warn", "refuse", "off"],
      "How to treat documents that by law must go through a licensed provider (docs/contract.md#regime). Empty: warn, and refuse those dated 2027 or later, when other channels end.",
    ),
  },
} as const satisfies BuiltInDescription;
