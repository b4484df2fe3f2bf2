/** Finds connections that cannot carry documents, webhook endpoints that receive nothing, and deliveries and mails that need attention. */
import { findUnusableConnections, findEndpointsOfMode } from "../../../storage/upkeep/diagnosis.ts";
import { type Mode, MODES } from "../../../storage/stored-values.ts";
import { findUnsentDeliveries } from "../../../storage/webhooks/deliveries.ts";
import type { EndpointRow } from "../../../storage/webhooks/webhooks.ts";
import {
  type Check,
  counted,
  type Found,
  notice,
  type Noun,
  problem,
  type TableCheckInput,
} from "./doctor-finding.ts";
import { isAllowed } from "./check-files.ts";
import { constants } from "node:fs";
import { findDocumentsWithStuckMail } from "../../../storage/documents/mails.ts";
import { providerName } from "../../domain/document-codes.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
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
  async *find(input) {
    const { session } = input.inspection;
    for (const mode of MODES)
      for (const endpoint of await findEndpointsOfMode(session, { mode })) {
        const query = { endpointId: endpoint.id, after: "", created: {}, limit: COUNTED_MAX };
        yield* checkEndpoint(input, endpoint, (await findUnsentDeliveries(session, query)).length);
      }
  },
  ok: { en: "Every webhook endpoint is served.", el: "Κάθε τελικό σημείο (endpoint) εξυπηρετείται." },
};

function* checkEndpoint(
  { command, clock }: TableCheckInput,
  endpoint: EndpointRow,
  waiting: number,
): Generator<Found> {
  const { id, mode, failing_since: failingSince } = endpoint;
  const about = { mode, subjects: [id] };
  const name = { en: `A ${mode} webhook endpoint`, el: `Ένα τελικό σημείο (endpoint) ${mode}` };
  const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
  const replay = command(mode, "replayDeliveries", id);
  if (endpoint.status === "disabled") {
    const isFailing = endpoint.disabled_reason !== null;
    const enable = command(mode, "enableWebhookEndpoint", id);
    const [why, because] = isFailing
      ? [" because everything failed there", " γιατί όλα αποτύγχαναν"]
      : ["", ""];
    const message = {
      en: `${name.en} is disabled${why}; ${en} held for it.`,
      el: `${name.el} είναι ανενεργό${because}· κρατούνται για αυτό: ${el}.`,
    };
    const next = {
      en: `see that the receiver works, then: ${enable}, then: ${replay}`,
      el: `βεβαιωθείτε ότι ο παραλήπτης λειτουργεί, έπειτα: ${enable}, έπειτα: ${replay}`,
    };
    yield (isFailing ? problem : notice)(message, next, about);
    return;
  }
  if (failingSince !== null && clock.nowMs() - Date.parse(failingSince) >= FAILING_HOURS * HOUR_MS) {
    const deliveries = command(mode, "listDeliveries", id);
    const message = {
      en: `Everything posted to a ${mode} webhook endpoint has failed for more than a day.`,
      el: `Κάθε αποστολή σε ένα τελικό σημείο (endpoint) ${mode} αποτυγχάνει πάνω από μία ημέρα.`,
    };
    const next = { en: `see why: ${deliveries}`, el: `δείτε γιατί: ${deliveries}` };
    yield problem(message, next, about);
  }
  if (waiting > 0) {
    const message = {
      en: `${en} held for a ${mode} webhook endpoint, or failed there, and not sent again.`,
      el: `${el} κρατούνται για ένα τελικό σημείο (endpoint) ${mode} ή απέτυχαν εκεί, και δεν στάλθηκαν ξανά.`,
    };
    yield notice(message, replay, about);
  }
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
  async *find({ config: { mail }, inspection }) {
    if (mail.host === "") return;
    yield* checkPassword(mail.passwordFile);
    for (const mode of MODES)
      for (const { reason, message, next } of CAUSES) {
        const about = { mode, reason, limit: COUNTED_MAX };
        const subjects = await findDocumentsWithStuckMail(inspection.session, about);
        if (subjects.length === 0) continue;
        const { en, el } = counted(subjects.length, MAILS, COUNTED_MAX);
        const text = { en: `${en}: ${message.en}.`, el: `${el}: ${message.el}.` };
        yield problem(text, next, { mode, subjects });
      }
  },
  ok: ({ config }) =>
    config.mail.host === ""
      ? { en: "No mail server is configured.", el: "Δεν έχει οριστεί διακομιστής αλληλογραφίας." }
      : { en: "No mail waits for a correction.", el: "Κανένα email δεν περιμένει διόρθωση." },
};

function* checkPassword(file: string): Generator<Found> {
  if (file === "" || isAllowed(file, constants.R_OK)) return;
  const message = {
    en: `The file of mail.password_file, ${file}, cannot be read.`,
    el: `Το αρχείο του mail.password_file, ${file}, δεν διαβάζεται.`,
  };
  const next = {
    en: "correct the path, or its permissions",
    el: "διορθώστε τη διαδρομή ή τα δικαιώματά του",
  };
  yield problem(message, next);
}

export const connectionsCheck: Check<TableCheckInput> = {
  name: "connections",
  async *find({ inspection, config: { providers }, command }) {
    const without = EXTERNAL_PROVIDERS.filter((provider) => providers[camelCase(provider)].module === "");
    for (const mode of MODES) {
      const about = { mode, providers: without, limit: COUNTED_MAX };
      for (const row of await findUnusableConnections(inspection.session, about))
        yield describeConnection(row, mode, command(mode, "verifyConnection", row.id));
    }
  },
  ok: {
    en: "No connection is refused or without its adapter.",
    el: "Καμία σύνδεση δεν απορρίπτεται ούτε της λείπει ο προσαρμογέας.",
  },
};

function describeConnection(row: RowOf<typeof findUnusableConnections>, mode: Mode, verify: string): Found {
  const { id, merchant, provider, last_error_at: at } = row;
  const name = {
    en: `The ${mode} connection of ${merchant} to ${providerName(provider)}`,
    el: `Η σύνδεση ${mode} του ${merchant} με ${providerName(provider)}`,
  };
  const about = { mode, subjects: [id] };
  if (row.status === "invalid") {
    const error = readJsonOrNull<ErrorObject>(row.last_error_json);
    const why = error === null ? "" : ` (${error.provider_code ?? error.code}, ${at ?? ""})`;
    const message = {
      en: `${name.en} is refused by the provider${why}: its documents are waiting.`,
      el: `${name.el} απορρίπτεται από τον πάροχο${why}: τα παραστατικά της περιμένουν.`,
    };
    const next = {
      en: `correct the credentials with the provider, then: ${verify}`,
      el: `διορθώστε τα διαπιστευτήρια στον πάροχο, έπειτα: ${verify}`,
    };
    return problem(message, next, about);
  }
  const message = {
    en: `${name.en} has no adapter: its documents cannot be sent.`,
    el: `${name.el} δεν έχει προσαρμογέα: τα παραστατικά της δεν μπορούν να σταλούν.`,
  };
  const next = {
    en: `name the adapter's module under [providers.${provider}] in the configuration`,
    el: `ορίστε το module του προσαρμογέα στο [providers.${provider}] των ρυθμίσεων`,
  };
  return problem(message, next, about);
}
