/** The static description of provider_a: its name, limits and credentials form. */
import type { CredentialsForm } from "../../domain/credentials-form.ts";
import { integer, url } from "../../foundation/setting-kinds.ts";
import type { Text } from "../../foundation/text.ts";
import type { BuiltInDescription } from "../../domain/provider-adapter.ts";

const COPY_BOTH: Text = {
  en: "Copy the API key and the user id from its settings.",
  el: "Αντιγράψτε από τις ρυθμίσεις το κλειδί API και το αναγνωριστικό χρήστη.",
};

const CREDENTIALS: CredentialsForm = {
  fields: [
    {
      name: "api_key",
      label: { en: "API key", el: "Κλειδί API" },
      secret: true,
      required: true,
      lengthMax: 200,
      unpadded: true,
      help: {
        en: "From the account’s settings at Wrapp, without spaces before or after it.",
        el: "Από τις ρυθμίσεις του λογαριασμού στη Wrapp, χωρίς κενά πριν ή μετά.",
      },
    },
    {
      name: "provider_user_id",
      label: { en: "User id at Wrapp", el: "Αναγνωριστικό χρήστη στη Wrapp" },
      secret: false,
      required: false,
      lengthMax: 100,
      help: {
        en: "Better than the email address, because it never changes.",
        el: "Προτιμάται από το email, γιατί δεν αλλάζει ποτέ.",
      },
    },
    {
      name: "email",
      label: { en: "Email address for signing in to Wrapp", el: "Email σύνδεσης στη Wrapp" },
      secret: false,
      required: false,
      lengthMax: 254,
      format: "email",
      help: {
        en: "The connection stops working if this address is changed at Wrapp.",
        el: "Αν αλλάξει το email στη Wrapp, η σύνδεση σταματά να λειτουργεί.",
      },
    },
  ],
  exactlyOneOf: ["email", "provider_user_id"],
  guides: {
    live: {
      steps: [
        {
          en: "Sign in to the account of the business at Wrapp.",
          el: "Συνδεθείτε στον λογαριασμό της επιχείρησης στη Wrapp.",
        },
        COPY_BOTH,
      ],
    },
    test: {
      steps: [
        {
          en: "Sign in to Wrapp’s test environment (staging), which has its own accounts and keys.",
          el: "Συνδεθείτε στο δοκιμαστικό περιβάλλον της Wrapp (staging)· έχει δικούς του λογαριασμούς και κλειδιά.",
        },
        COPY_BOTH,
      ],
    },
  },
};

export const PROVIDER_A = {
  provider: "provider_a",
  name: { en: "Wrapp", el: "Wrapp" },
  numbering: "provider",
  issueBatchMax: 1,
  canCancel: false,
  credentials: CREDENTIALS,
  settings: {
    test_url: url("https://staging.wrapp.ai/api/v1", "Address of the test environment."),
    live_url: url("https://wrapp.ai/api/v1", "Address of the live environment."),
    timeout_seconds: integer(
      30,
      1,
      300,
      "Seconds to wait for a response. After that the outcome is unknown.",
    ),
  },
} as const satisfies BuiltInDescription;
