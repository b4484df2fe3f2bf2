/** Finds connections that cannot carry documents, or have not been verified for long. */
import { providerName } from "../../domain/document-codes.ts";
import { findConnectionsInUse } from "../../../storage/upkeep/diagnosis.ts";
import type { RowOf } from "../../../storage/database/queries.ts";
import { MODES, type Mode, type Provider } from "../../../storage/stored-values.ts";
import type { Config } from "../../config/config.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { camelCase } from "../../foundation/setting.ts";
import { EXTERNAL_PROVIDERS } from "../../providers/built-in.ts";
import { type Check, type Found, notice, ok, problem, type TableCheckInput } from "./doctor-finding.ts";

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
        findings.push(...check(input, mode, connection));
      }
    }
    return count > 0
      ? findings
      : [ok({ en: "There are no connections.", el: "Δεν υπάρχουν συνδέσεις με παρόχους." })];
  },
  ok: { en: "Every connection can be used.", el: "Κάθε σύνδεση μπορεί να χρησιμοποιηθεί." },
};

type DiagnosedConnection = RowOf<typeof findConnectionsInUse>;

async function* connectionsOf(
  { inspection }: TableCheckInput,
  mode: Mode,
): AsyncGenerator<DiagnosedConnection> {
  let after = "";
  for (;;) {
    const rows = await findConnectionsInUse(inspection.session, { mode, after, limit: PAGE_ROWS });
    // Archived merchants issue nothing.
    yield* rows.filter((row) => row.merchant_archived === 0);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

function check(input: TableCheckInput, mode: Mode, connection: DiagnosedConnection): Found[] {
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
