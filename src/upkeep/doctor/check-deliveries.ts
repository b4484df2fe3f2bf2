/** Finds webhook endpoints that receive nothing, and deliveries and mails that need attention. */
import { countDeliveriesIn, findEndpointsOfMode } from "../../../storage/upkeep/diagnosis.ts";
import { MODES } from "../../../storage/stored-values.ts";
import type { EndpointRow } from "../../../storage/webhooks/webhooks.ts";
import {
  type Check,
  counted,
  type Found,
  notice,
  problem,
  type TableCheckInput,
  type Noun,
} from "./doctor-finding.ts";
import { accessSync, constants } from "node:fs";
import { findDocumentsWithStuckMail } from "../../../storage/documents/mails.ts";

const COUNTED_MAX = 1000;
/** Receivers are sometimes down for a night. */
const FAILING_HOURS = 24;
const HOUR_MS = 3_600_000;

const EVENTS = { one: { en: "event", el: "συμβάν" }, many: { en: "events", el: "συμβάντα" } };

export const webhooksCheck: Check<TableCheckInput> = {
  name: "webhooks",
  async find(input) {
    const findings: Found[] = [];
    for (const mode of MODES) {
      for (const endpoint of await findEndpointsOfMode(input.inspection.session, { mode })) {
        const check = endpoint.status === "disabled" ? checkDisabled : checkEnabled;
        findings.push(...check(input, endpoint, await countWaiting(input, endpoint.id)));
      }
    }
    return findings;
  },
  ok: { en: "Every webhook endpoint is served.", el: "Κάθε τελικό σημείο (endpoint) εξυπηρετείται." },
};

function checkDisabled(input: TableCheckInput, endpoint: EndpointRow, waiting: number): Found[] {
  const { id, mode, disabled_reason: reason } = endpoint;
  const details = { mode, subjects: [id] };
  const enable = input.command(mode, "enableWebhookEndpoint", id);
  const replay = input.command(mode, "replayDeliveries", id);
  const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
  if (reason !== null) {
    const message = {
      en: `A ${mode} webhook endpoint was disabled because everything failed there; ${en} waiting.`,
      el: `Ένα τελικό σημείο (endpoint) ${mode} απενεργοποιήθηκε γιατί όλα αποτύγχαναν· περιμένουν: ${el}.`,
    };
    const next = {
      en: `repair the receiver, then: ${enable}, then: ${replay}`,
      el: `διορθώστε τον παραλήπτη, έπειτα: ${enable}, έπειτα: ${replay}`,
    };
    return [problem(message, next, details)];
  }
  const message =
    waiting === 0
      ? {
          en: `A ${mode} webhook endpoint is disabled, so its events are held.`,
          el: `Ένα τελικό σημείο (endpoint) ${mode} είναι ανενεργό, άρα τα συμβάντα του κρατούνται.`,
        }
      : {
          en: `A ${mode} webhook endpoint is disabled, and ${en} held for it.`,
          el: `Ένα τελικό σημείο (endpoint) ${mode} είναι ανενεργό, και κρατούνται για αυτό: ${el}.`,
        };
  const next = { en: `${enable}, then: ${replay}`, el: `${enable}, έπειτα: ${replay}` };
  return [notice(message, next, details)];
}

function checkEnabled(input: TableCheckInput, endpoint: EndpointRow, waiting: number): Found[] {
  const { id, mode } = endpoint;
  const details = { mode, subjects: [id] };
  const findings: Found[] = [];
  const failingSince = endpoint.failing_since === null ? undefined : Date.parse(endpoint.failing_since);
  if (failingSince !== undefined && input.clock.nowMs() - failingSince >= FAILING_HOURS * HOUR_MS) {
    const deliveries = input.command(mode, "listDeliveries", id);
    const message = {
      en: `Everything posted to a ${mode} webhook endpoint has failed for more than a day.`,
      el: `Κάθε αποστολή σε ένα τελικό σημείο (endpoint) ${mode} αποτυγχάνει πάνω από μία ημέρα.`,
    };
    const next = { en: `see why: ${deliveries}`, el: `δείτε γιατί: ${deliveries}` };
    findings.push(problem(message, next, details));
  }
  if (waiting > 0) {
    const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
    const message = {
      en: `${en} held for a ${mode} webhook endpoint, or failed there, and not sent again.`,
      el: `${el} κρατούνται για ένα τελικό σημείο (endpoint) ${mode} ή απέτυχαν εκεί, και δεν στάλθηκαν ξανά.`,
    };
    findings.push(notice(message, input.command(mode, "replayDeliveries", id), details));
  }
  return findings;
}

async function countWaiting({ inspection }: TableCheckInput, endpointId: string): Promise<number> {
  const by = { endpointId, limit: COUNTED_MAX };
  const held = await countDeliveriesIn(inspection.session, { ...by, status: "held" });
  const failed = await countDeliveriesIn(inspection.session, { ...by, status: "failed" });
  return Math.min(COUNTED_MAX, held + failed);
}

const MAILS: Noun = {
  one: { en: "mail waits", el: "email περιμένει" },
  many: { en: "mails wait", el: "email περιμένουν" },
};

const CAUSES = [
  {
    reason: "login",
    message: {
      en: "the mail server refuses mail.user or its password",
      el: "ο διακομιστής αλληλογραφίας δεν δέχεται το mail.user ή τον κωδικό του",
    },
    next: {
      en: "correct mail.user, or the password in the file of mail.password_file; the mails then go out by themselves",
      el: "διορθώστε το mail.user ή τον κωδικό στο αρχείο του mail.password_file· έπειτα τα email φεύγουν μόνα τους",
    },
  },
  {
    reason: "certificate",
    message: {
      en: "the connection to the mail server cannot be encrypted",
      el: "η σύνδεση με τον διακομιστή αλληλογραφίας δεν μπορεί να κρυπτογραφηθεί",
    },
    next: {
      en: "check mail.host, mail.port and mail.secure, and the server's certificate; the mails then go out by themselves",
      el: "ελέγξτε τα mail.host, mail.port και mail.secure και το πιστοποιητικό του διακομιστή· έπειτα τα email φεύγουν μόνα τους",
    },
  },
] as const;

export const mailCheck: Check<TableCheckInput> = {
  name: "mail",
  async find(input) {
    const { mail } = input.config;
    return mail.host === "" ? [] : [...checkPassword(mail.passwordFile), ...(await findStuck(input))];
  },
  ok: ({ config }) =>
    config.mail.host === ""
      ? { en: "No mail server is configured.", el: "Δεν έχει οριστεί διακομιστής αλληλογραφίας." }
      : { en: "No mail waits for a correction.", el: "Κανένα email δεν περιμένει διόρθωση." },
};

function checkPassword(file: string): Found[] {
  if (file === "") return [];
  try {
    accessSync(file, constants.R_OK);
    return [];
  } catch {
    return [
      problem(
        {
          en: `The file of mail.password_file, ${file}, cannot be read.`,
          el: `Το αρχείο του mail.password_file, ${file}, δεν διαβάζεται.`,
        },
        {
          en: "correct the path, or its permissions",
          el: "διορθώστε τη διαδρομή ή τα δικαιώματά του",
        },
      ),
    ];
  }
}

async function findStuck({ inspection }: TableCheckInput): Promise<Found[]> {
  const findings: Found[] = [];
  for (const mode of MODES) {
    for (const { reason, message, next } of CAUSES) {
      const subjects = await findDocumentsWithStuckMail(inspection.session, {
        mode,
        reason,
        limit: COUNTED_MAX,
      });
      if (subjects.length === 0) continue;
      const { en, el } = counted(subjects.length, MAILS, COUNTED_MAX);
      const text = { en: `${en}: ${message.en}.`, el: `${el}: ${message.el}.` };
      findings.push(problem(text, next, { mode, subjects }));
    }
  }
  return findings;
}
