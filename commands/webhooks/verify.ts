/** `fiscal webhooks verify`: checks a delivery's signature and explains a mismatch. It needs no data directory. */
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { diagnose } from "../../src/webhooks/diagnosis.ts";
import { EXIT, UsageError } from "../exit.ts";
import { instant } from "../options.ts";
import { readSecretFile, readSmallFile } from "../input-files.ts";
import { verb } from "../define.ts";

export const defineVerify = verb({
  flags: {
    "--secret-file <file>": {
      en: "file with the endpoint's secret",
      el: "αρχείο που περιέχει το μυστικό του τελικού σημείου (endpoint)",
    },
    "--header <text>": {
      en: "value of the service-signature header, as received",
      el: "η τιμή της κεφαλίδας service-signature, όπως ήρθε",
    },
    "--body-file <file>": {
      en: "file with the body, byte for byte as received; - is standard input",
      el: "αρχείο που περιέχει το σώμα, byte προς byte όπως ήρθε· το - είναι η τυπική είσοδος",
    },
    "--at <instant>": {
      en: "when it was received (default: now)",
      el: "πότε ήρθε (αν λείπει: τώρα)",
      read: instant,
    },
  },
  notes: {
    en: "Exit: 0 if the signature matches, 4 if it does not; then the reason is printed.",
    el: "Κωδικός εξόδου: 0 όταν η υπογραφή ταιριάζει, 4 όταν όχι· τότε τυπώνεται ο λόγος.",
  },
  examples: [
    'fiscal webhooks verify --secret-file secret.txt --header "t=…,v1=…" --body-file body.json --at 2025-11-02T08:30:00Z',
  ],
  fields: ["matches", "reason", "findings"],
  async run(context, options) {
    const { io } = context;
    const secretFile = required("--secret-file", options.secretFile);
    const header = required("--header", options.header);
    const bodyFile = required("--body-file", options.bodyFile);
    if (secretFile === "-" && bodyFile === "-")
      throw new UsageError({
        en: "only one of --secret-file, --body-file can read standard input",
        el: "μόνο μία από τις --secret-file και --body-file μπορεί να διαβάσει την τυπική είσοδο",
      });
    const secret = await readSecretFile(io, "--secret-file", secretFile);
    const body = await readSmallFile(io, bodyFile, BODY_BYTES_MAX);
    const nowMs = options.at === undefined ? createClock().nowMs() : Date.parse(options.at);
    const nowSeconds = Math.floor(nowMs / 1000);
    const { matches, reason, findings } = diagnose({ secret, header, body, nowSeconds });
    const lines = [...findings.map(sameInBoth), ...(reason === "too_old" ? [ARRIVAL] : [])];
    return {
      object: { matches, reason, findings },
      shown: joinTexts(lines, "\n"),
      exitCode: matches ? EXIT.done : EXIT.refused,
    };
  },
});

const ARRIVAL: Text = {
  en: "--at gives the time of arrival of a stored delivery.",
  el: "Η --at δίνει την ώρα που ήρθε μια αποθηκευμένη παράδοση.",
};

/** Far larger than the largest event. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

function required(flag: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError({ en: `${flag} is missing`, el: `λείπει η ${flag}` });
  return value;
}
