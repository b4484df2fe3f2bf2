/** Connections that cannot carry documents, or have not been tried for long. */
import { type DiagnosedConnection, findConnectionsInUse } from "../../../storage/diagnosis.ts";
import { MODES, type Mode, type Provider } from "../../../storage/stored-values.ts";
import type { Config } from "../../config/config.ts";
import type { ErrorObject } from "../../foundation/errors.ts";
import { readJsonOrNull } from "../../foundation/json.ts";
import { type Finding, findingsOf, type OpenPatient, orOk } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("connections");

const PAGE_ROWS = 200;
/** Credentials that nobody has used or tried for half a year are often gone by the day they are needed. */
const OLD_DAYS = 180;
const DAY_MS = 86_400_000;

export async function checkConnections(patient: OpenPatient): Promise<Finding[]> {
  const findings: Finding[] = [];
  let count = 0;
  for (const mode of MODES) {
    for await (const connection of connectionsOf(patient, mode)) {
      count += 1;
      const finding = judge(patient, mode, connection);
      if (finding !== undefined) findings.push(finding);
    }
  }
  return orOk(findings, ok(count === 0 ? "There are no connections." : "Every connection can be used."));
}

async function* connectionsOf({ inspection }: OpenPatient, mode: Mode): AsyncGenerator<DiagnosedConnection> {
  let after = "";
  for (;;) {
    const rows = await findConnectionsInUse(inspection.session, { mode, after, limit: PAGE_ROWS });
    // What is archived issues nothing: nobody waits for its connection.
    yield* rows.filter((row) => row.merchant_archived === 0);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)!.id;
  }
}

function judge(patient: OpenPatient, mode: Mode, connection: DiagnosedConnection): Finding | undefined {
  const { id, merchant, provider, status, verified_at } = connection;
  const name = `The ${mode} connection of ${merchant} to ${provider}`;
  const verify = patient.command(mode, `connections verify ${id}`);
  const details = { next: verify, mode, subjects: [id] };
  if (status === "invalid") {
    const error = readJsonOrNull<ErrorObject>(connection.last_error_json);
    const why =
      error === null ? "" : ` (${error.provider_code ?? error.code}, ${connection.last_error_at ?? ""})`;
    return problem(`${name} is refused by the provider${why}: its documents wait.`, {
      ...details,
      next: `correct the credentials with the provider, then: ${verify}`,
    });
  }
  if (!hasAdapter(patient.config, provider)) {
    return problem(`${name} has no adapter: its documents cannot be sent.`, {
      ...details,
      next: `name the adapter's module under [providers.${provider}] in the configuration`,
    });
  }
  const oldMs = patient.clock.nowMs() - OLD_DAYS * DAY_MS;
  if (verified_at !== null && Date.parse(verified_at) < oldMs)
    return notice(`${name} was verified more than ${OLD_DAYS} days ago.`, details);
  return undefined;
}

function hasAdapter({ providers }: Config, provider: Provider): boolean {
  switch (provider) {
    case "provider_b":
      return providers.providerB.module !== "";
    case "provider_c":
      return providers.providerC.module !== "";
    case "provider_d":
      return providers.providerD.module !== "";
    case "provider_e":
      return providers.providerE.module !== "";
    default:
      return true;
  }
}
