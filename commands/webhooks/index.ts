/** `fiscal webhooks`: endpoints and their deliveries, and help for testing receivers. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addCommands, type LazyCommand } from "../lazy-commands.ts";
import { addExamples, UNTIL_INTERRUPTED } from "../options.ts";

const VERBS: readonly LazyCommand[] = [
  {
    name: "add",
    summary: {
      en: "send events to a URL; prints the signing secret, which is shown only once",
      el: "στέλνει τα συμβάντα σε μια διεύθυνση URL· τυπώνει το μυστικό υπογραφής, μόνο μία φορά",
    },
    load: async () => (await import("./add.ts")).defineAdd,
  },
  {
    name: "list",
    summary: {
      en: "list webhook endpoints, newest first",
      el: "τα τελικά σημεία (endpoints) της λειτουργίας, πρώτα τα νεότερα",
    },
    load: async () => (await import("./list.ts")).defineList,
  },
  {
    name: "show",
    arguments: "<endpoint>",
    summary: {
      en: "show one endpoint, without its secret",
      el: "ένα τελικό σημείο (endpoint), χωρίς το μυστικό του",
    },
    load: async () => (await import("./show.ts")).defineShow,
  },
  {
    name: "update",
    arguments: "<endpoint>",
    summary: {
      en: "change an endpoint; `--status enabled` enables it again",
      el: "αλλάζει ένα τελικό σημείο (endpoint)· η `--status enabled` το ενεργοποιεί ξανά",
    },
    load: async () => (await import("./update.ts")).defineUpdate,
  },
  {
    name: "remove",
    arguments: "<endpoint>",
    summary: {
      en: "delete an endpoint; nothing more is sent to it",
      el: "διαγράφει ένα τελικό σημείο (endpoint)· τίποτα άλλο δεν στέλνεται εκεί",
    },
    load: async () => (await import("./remove.ts")).defineRemove,
  },
  {
    name: "rotate-secret",
    arguments: "<endpoint>",
    summary: {
      en: "create a new signing secret and print it, only once",
      el: "δημιουργεί νέο μυστικό υπογραφής και το τυπώνει, μόνο μία φορά",
    },
    load: async () => (await import("./rotate-secret.ts")).defineRotateSecret,
  },
  {
    name: "deliveries",
    arguments: "<endpoint>",
    summary: {
      en: "list an endpoint's past and pending deliveries, newest first",
      el: "οι αποστολές σε ένα τελικό σημείο (endpoint), όσες έγιναν και όσες μένουν, πρώτα οι νεότερες",
    },
    load: async () => (await import("./deliveries.ts")).defineDeliveries,
  },
  {
    name: "replay",
    arguments: "<endpoint>",
    summary: {
      en: "queue held and failed deliveries again: all, those of a period, or those of single events",
      el: "βάζει ξανά στη σειρά όσα κρατήθηκαν ή απέτυχαν: όλα, ενός διαστήματος, ή μεμονωμένα συμβάντα",
    },
    load: async () => (await import("./replay.ts")).defineReplay,
  },
  {
    name: "listen",
    summary: {
      en: "send events to a receiver on this machine as they happen, without an endpoint or a server",
      el: "στέλνει τα συμβάντα σε παραλήπτη αυτού του υπολογιστή καθώς συμβαίνουν, χωρίς τελικό σημείο (endpoint) ή διακομιστή",
    },
    load: async () => (await import("./listen.ts")).defineListen,
  },
  {
    name: "verify",
    summary: {
      en: "check a delivery's signature and, if it does not match, say why",
      el: "ελέγχει την υπογραφή μιας αποστολής και, αν δεν ταιριάζει, λέει γιατί",
    },
    load: async () => (await import("./verify.ts")).defineVerify,
  },
];

export function defineWebhooks(noun: Command, context: CommandContext): void {
  addCommands(noun, context, VERBS);
  addExamples(
    noun,
    context,
    {
      line: "fiscal webhooks listen --forward-to http://localhost:3000/webhooks",
      note: UNTIL_INTERRUPTED,
    },
    "fiscal webhooks add --url https://example.com/webhooks --events document.issued document.rejected",
  );
}
