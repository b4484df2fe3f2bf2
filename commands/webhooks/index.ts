/** `fiscal webhooks`: endpoints and their deliveries, and help for testing receivers. */
import type { Text } from "../../src/foundation/text.ts";
import * as operations from "../../src/operations/webhooks.ts";
import { countText } from "../../src/operations/view.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import { getWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { UNTIL_INTERRUPTED } from "../options.ts";
import { verbOf } from "../verb.ts";
import { type Commands, noun } from "../define.ts";

const SAVE_SECRET: readonly Text[] = [
  {
    en: "Save the secret now: it cannot be shown again. Receivers use it to check the signature.",
    el: "Φυλάξτε το μυστικό τώρα: δεν μπορεί να εμφανιστεί ξανά. Με αυτό ελέγχουν την υπογραφή οι παραλήπτες.",
  },
];

const VERBS: Commands = {
  add: verbOf(operations.createWebhookEndpoint, { notes: () => SAVE_SECRET }),
  list: verbOf(operations.listWebhookEndpoints),
  show: verbOf(operations.getWebhookEndpoint),
  update: verbOf(operations.updateWebhookEndpoint, {
    notes: ({ id }, { flags: { status } }) =>
      status === "enabled"
        ? [
            {
              en: `To send what was held in the meantime: fiscal webhooks replay ${id}`,
              el: `Για να σταλούν όσα κρατήθηκαν στο μεταξύ: fiscal webhooks replay ${id}`,
            },
          ]
        : [],
  }),
  remove: verbOf(operations.deleteWebhookEndpoint, {
    async confirm({ appliance, mode, params }) {
      const { url } = await getWebhookEndpoint(appliance, mode, params["id"] ?? "");
      return questionAbout(
        { en: "Remove the endpoint", el: "Να διαγραφεί το τελικό σημείο (endpoint)" },
        [url, modeText(mode)],
        {
          en: "Its pending deliveries will not be sent.",
          el: "Όσα μένουν να σταλούν εκεί δεν θα σταλούν.",
        },
      );
    },
    line: ({ id }) => ({ en: `${id} removed`, el: `${id} διαγράφηκε` }),
  }),
  "rotate-secret": verbOf(operations.rotateWebhookSecret, { notes: () => SAVE_SECRET }),
  deliveries: verbOf(operations.listWebhookDeliveries),
  replay: verbOf(operations.replayWebhookEvents, {
    line({ queued }) {
      const { en, el } = countText(queued);
      return { en: `${en} queued`, el: `${el} μπήκαν στη σειρά` };
    },
    notes: ({ queued }) =>
      queued === 0
        ? []
        : [{ en: "They are sent while `fiscal serve` runs.", el: "Στέλνονται όσο τρέχει η `fiscal serve`." }],
  }),
  listen: {
    en: "send events to a receiver on this machine as they happen, without an endpoint or a server",
    el: "στέλνει τα συμβάντα σε παραλήπτη αυτού του υπολογιστή καθώς συμβαίνουν, χωρίς τελικό σημείο (endpoint) ή διακομιστή",
    load: async () => (await import("./listen.ts")).defineListen,
  },
  verify: {
    en: "check a delivery's signature and, if it does not match, say why",
    el: "ελέγχει την υπογραφή μιας αποστολής και, αν δεν ταιριάζει, λέει γιατί",
    load: async () => (await import("./verify.ts")).defineVerify,
  },
};

export const defineWebhooks = noun(
  VERBS,
  {
    line: "fiscal webhooks listen --forward-to http://localhost:3000/webhooks",
    note: UNTIL_INTERRUPTED,
  },
  "fiscal webhooks add --url https://example.com/webhooks --events document.issued document.rejected",
);
