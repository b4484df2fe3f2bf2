/** Finds connections that cannot carry documents, webhook endpoints that receive nothing, and deliveries and mails that need attention. */
import {
  countDeliveriesIn,
  findDiagnosedConnections,
  findEndpointsOfMode,
} from "../../../storage/upkeep/diagnosis.ts";
import { type Mode, MODES, type Provider } from "../../../storage/stored-values.ts";
import type { EndpointRow } from "../../../storage/webhooks/webhooks.ts";
import {
  type Check,
  counted,
  type Found,
  notice,
  type Noun,
  ok,
  problem,
  type TableCheckInput,
} from "./doctor-finding.ts";
import { accessSync, constants } from "node:fs";
import { findDocumentsWithStuckMail } from "../../../storage/documents/mails.ts";
import { providerName } from "../../domain/document-codes.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
import type { Config } from "../../config/config.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { camelCase } from "../../foundation/setting.ts";
import { EXTERNAL_PROVIDERS } from "../../providers/built-in.ts";

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

const PAGE_ROWS = 200;
/** Credentials that were not used or verified for half a year have often expired by the time they are needed. */
const OLD_DAYS = 180;
const DAY_MS = 86_400_000;

export const connectionsCheck: Check<TableCheckInput> = {
  name: "connections",
  async find(input) {
    const findings: Found[] = [];
    let count = 0;
    for (const mode of MODES) {
      for await (const connection of connectionsOf(input, mode)) {
        count += 1;
        findings.push(...checkConnection(input, mode, connection));
      }
    }
    return count > 0
      ? findings
      : [ok({ en: "There are no connections.", el: "Δεν υπάρχουν συνδέσεις με παρόχους." })];
  },
  ok: { en: "Every connection can be used.", el: "Κάθε σύνδεση μπορεί να χρησιμοποιηθεί." },
};

type DiagnosedConnection = RowOf<typeof findDiagnosedConnections>;

async function* connectionsOf(
  { inspection }: TableCheckInput,
  mode: Mode,
): AsyncGenerator<DiagnosedConnection> {
  let after = "";
  for (;;) {
    const rows = await findDiagnosedConnections(inspection.session, { mode, after, limit: PAGE_ROWS });
    // Archived merchants issue nothing.
    yield* rows.filter((row) => row.merchant_archived === 0);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

function checkConnection(input: TableCheckInput, mode: Mode, connection: DiagnosedConnection): Found[] {
  const { id, merchant, provider, status, verified_at } = connection;
  const name = {
    en: `The ${mode} connection of ${merchant} to ${providerName(provider)}`,
    el: `Η σύνδεση ${mode} του ${merchant} με ${providerName(provider)}`,
  };
  const verify = input.command(mode, "verifyConnection", id);
  const about = { mode, subjects: [id] };
  if (status === "invalid") {
    const error = readJsonOrNull<ErrorObject>(connection.last_error_json);
    const why =
      error === null ? "" : ` (${error.provider_code ?? error.code}, ${connection.last_error_at ?? ""})`;
    const message = {
      en: `${name.en} is refused by the provider${why}: its documents are waiting.`,
      el: `${name.el} απορρίπτεται από τον πάροχο${why}: τα παραστατικά της περιμένουν.`,
    };
    const next = {
      en: `correct the credentials with the provider, then: ${verify}`,
      el: `διορθώστε τα διαπιστευτήρια στον πάροχο, έπειτα: ${verify}`,
    };
    return [problem(message, next, about)];
  }
  if (!hasAdapter(input.config, provider)) {
    const message = {
      en: `${name.en} has no adapter: its documents cannot be sent.`,
      el: `${name.el} δεν έχει προσαρμογέα: τα παραστατικά της δεν μπορούν να σταλούν.`,
    };
    const next = {
      en: `name the adapter's module under [providers.${provider}] in the configuration`,
      el: `ορίστε το module του προσαρμογέα στο [providers.${provider}] των ρυθμίσεων`,
    };
    return [problem(message, next, about)];
  }
  const oldMs = input.clock.nowMs() - OLD_DAYS * DAY_MS;
  if (verified_at === null || Date.parse(verified_at) >= oldMs) return [];
  const message = {
    en: `${name.en} was verified more than ${OLD_DAYS} days ago.`,
    el: `${name.el} ελέγχθηκε πριν από περισσότερες από ${OLD_DAYS} ημέρες.`,
  };
  return [notice(message, verify, about)];
}

/** Built-in providers always have one; the others need a module. */
function hasAdapter({ providers }: Config, provider: Provider): boolean {
  const external = EXTERNAL_PROVIDERS.find((candidate) => candidate === provider);
  return external === undefined || providers[camelCase(external)].module !== "";
}
