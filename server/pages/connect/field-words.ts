/** What the credentials of our own adapters are called and where they are found, in both languages; an adapter from outside brings its own words. */
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import type { Sentence } from "../language.ts";

interface FieldWords {
  label: Sentence;
  help: Sentence;
}

export const FIELD_WORDS: Partial<Record<Provider, Readonly<Record<string, FieldWords>>>> = {
  registry_direct: {
    user_id: {
      label: { el: "Όνομα χρήστη του myDATA REST API", en: "User name of the myDATA REST API" },
      help: {
        el: "Όπως δηλώθηκε στην εγγραφή· όχι το όνομα χρήστη του TAXISnet.",
        en: "As it was registered; not the user name for TAXISnet.",
      },
    },
    subscription_key: {
      label: { el: "Κλειδί (subscription key)", en: "Subscription key" },
      help: {
        el: "Το κλειδί που δείχνει η ΑΑΔΕ για αυτόν τον χρήστη. Αντιγράψτε το ολόκληρο.",
        en: "The key that the authority shows for this user. Copy the whole of it.",
      },
    },
  },
  provider_a: {
    api_key: {
      label: { el: "Κλειδί API", en: "API key" },
      help: {
        el: "Από τις ρυθμίσεις του λογαριασμού στη Wrapp, χωρίς κενά πριν ή μετά.",
        en: "From the settings of the account at Wrapp, without spaces before or after it.",
      },
    },
    provider_user_id: {
      label: { el: "Αναγνωριστικό χρήστη στη Wrapp", en: "User id at Wrapp" },
      help: {
        el: "Προτιμάται από το email, γιατί δεν αλλάζει ποτέ.",
        en: "Better than the email address, because it never changes.",
      },
    },
    email: {
      label: { el: "Email σύνδεσης στη Wrapp", en: "Email address of the login at Wrapp" },
      help: {
        el: "Αν αλλάξει το email στη Wrapp, η σύνδεση σταματά να λειτουργεί.",
        en: "The connection stops working when this address is changed at Wrapp.",
      },
    },
  },
};

interface Way {
  steps: readonly Sentence[];
  /** Where the first step is taken. */
  url?: string;
}

const COPY: Sentence = {
  el: "Αντιγράψτε εδώ το όνομα χρήστη και το κλειδί (subscription key).",
  en: "Copy the user name and the subscription key to this page.",
};

/** The ways differ by mode: no provider shares accounts or keys between its environments. */
export const WAYS: Partial<Record<Provider, Readonly<Record<Mode, Way>>>> = {
  registry_direct: {
    live: {
      url: "https://www1.aade.gr/saadeapps2/bookkeeper-web",
      steps: [
        {
          el: "Συνδεθείτε στο myDATA της ΑΑΔΕ με τους κωδικούς TAXISnet της επιχείρησης.",
          en: "Sign in to myDATA at the tax authority with the business’s TAXISnet account.",
        },
        {
          el: "Ανοίξτε την «Εγγραφή στο myDATA REST API» και δημιουργήστε ή διαλέξτε έναν χρήστη.",
          en: "Open “Εγγραφή στο myDATA REST API” (registration for the REST API), and add or choose a user.",
        },
        COPY,
      ],
    },
    test: {
      url: "https://mydata-dev-register.azurewebsites.net",
      steps: [
        {
          el: "Εγγραφείτε στο δοκιμαστικό περιβάλλον του myDATA. Το κανονικό έχει άλλους χρήστες και άλλα κλειδιά.",
          en: "Register in myDATA’s test environment. Users and keys of the live one do not work in it.",
        },
        COPY,
      ],
    },
  },
  provider_a: {
    live: {
      steps: [
        {
          el: "Συνδεθείτε στον λογαριασμό της επιχείρησης στη Wrapp.",
          en: "Sign in to the business’s account at Wrapp.",
        },
        {
          el: "Αντιγράψτε από τις ρυθμίσεις το κλειδί API και το αναγνωριστικό χρήστη.",
          en: "Copy the API key and the user id from its settings.",
        },
      ],
    },
    test: {
      steps: [
        {
          el: "Συνδεθείτε στο δοκιμαστικό περιβάλλον της Wrapp (staging)· έχει δικούς του λογαριασμούς και κλειδιά.",
          en: "Sign in to Wrapp’s test environment (staging); it has accounts and keys of its own.",
        },
        {
          el: "Αντιγράψτε από τις ρυθμίσεις το κλειδί API και το αναγνωριστικό χρήστη.",
          en: "Copy the API key and the user id from its settings.",
        },
      ],
    },
  },
};

/** What may be wrong with a field, by what `src/foundation/validation.ts` and the form say of it; `{limit}` is what the pattern finds. */
export const MISTAKES: readonly (readonly [RegExp, Sentence])[] = [
  [/^is required$/, { el: "Συμπληρώστε αυτό το πεδίο.", en: "Fill this in." }],
  [
    /^must have (?:\d+ to|at most) (?<limit>\d+) characters$/,
    { el: "Έως {limit} χαρακτήρες.", en: "At most {limit} characters." },
  ],
  [
    /^must not begin or end with white space$/,
    { el: "Αφαιρέστε τα κενά πριν και μετά.", en: "Take away the spaces before and after it." },
  ],
  [/^must be an email address$/, { el: "Γράψτε μια διεύθυνση email.", en: "Enter an email address." }],
  [
    /^must have printable ASCII characters only$/,
    {
      el: "Μόνο λατινικά γράμματα, ψηφία και σύμβολα.",
      en: "Only Latin letters without accents, digits and symbols.",
    },
  ],
  [
    /^must not hold control characters$/,
    {
      el: "Έχει χαρακτήρες που δεν φαίνονται. Αντιγράψτε το ξανά.",
      en: "It has characters that cannot be seen. Copy it again.",
    },
  ],
  [
    /^must have exactly one of /,
    { el: "Συμπληρώστε ακριβώς ένα από αυτά.", en: "Fill in exactly one of these." },
  ],
];

export const OTHER_MISTAKE: Sentence = {
  el: "Δεν έχει τη σωστή μορφή.",
  en: "It does not have the right form.",
};
