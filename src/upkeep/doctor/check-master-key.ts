/** The master key: there, for its owner only, and the one that the database was made with. */
import { existsSync, statSync } from "node:fs";
import type { Cipher } from "../../../storage/cipher.ts";
import { findAppliance, findConnectionsInUse } from "../../../storage/diagnosis.ts";
import { createKeyRing, isKeyOf } from "../../../storage/key-ring.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { loadMasterKeys } from "../../keys/master-key.ts";
import { findRotation } from "../../keys/rotation-plan.ts";
import { type Finding, findingsOf, type OpenPatient, type Patient } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("master key");

const PUT_BACK = "put the right key file back, or give the key as FISCAL_MASTER_KEY";

export async function checkMasterKey(patient: OpenPatient): Promise<Finding[]> {
  const key = readKey(patient);
  if ("finding" in key) return [key.finding];
  const appliance = await findAppliance(patient.inspection.session);
  if (appliance !== undefined && !isKeyOf(key.cipher, appliance.key_check)) {
    return [
      problem("The master key is not the one that this database was made with: nothing starts.", {
        next: PUT_BACK,
      }),
    ];
  }
  const closed = await findClosed(patient, key.cipher);
  if (closed.length > 0) {
    return [
      problem("The master key does not open the credentials of some connections.", {
        next: "connect them again: connections disconnect, then connections add",
        subjects: closed,
      }),
    ];
  }
  return [
    ...judgeMode(patient),
    ...(await judgeRotation(patient)),
    ok("The master key opens what is sealed in the database."),
  ];
}

/** A rotation that nobody runs any more stops nothing, but two keys are needed until it ends. */
async function judgeRotation({ inspection, command }: OpenPatient): Promise<Finding[]> {
  if ((await findRotation(inspection.session)) === undefined) return [];
  return [
    notice(
      "The master key is being replaced, or that was stopped halfway: both keys are needed until it ends.",
      {
        next: `if it does not run any more: ${command(null, "keys rotate-master")}`,
      },
    ),
  ];
}

/** Never makes a key: with data there, a missing one is an error. */
function readKey({ config }: Patient): { cipher: Cipher } | { finding: Finding } {
  try {
    return { cipher: createKeyRing(() => loadMasterKeys(config.security, true)) };
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !isUnreadable(error)) throw error;
    return { finding: problem(`${error.message}.`, { next: PUT_BACK }) };
  }
}

function isUnreadable(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

function judgeMode({ config }: Patient): Finding[] {
  const { masterKey, masterKeyFile: file } = config.security;
  if (masterKey !== null || process.platform === "win32" || !existsSync(file)) return [];
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [problem(`Others than its owner may read the master key ${file}.`, { next: `chmod 600 ${file}` })];
}

/** One of each mode is enough to tell, were it not that values of two keys may stand side by side. */
const CONNECTIONS_TRIED_MAX = 1000;

async function findClosed({ inspection }: OpenPatient, cipher: Cipher): Promise<string[]> {
  const closed: string[] = [];
  for (const mode of MODES) {
    const limits = { mode, after: "", limit: CONNECTIONS_TRIED_MAX };
    for (const { id, credentials } of await findConnectionsInUse(inspection.session, limits)) {
      if (credentials !== null && cipher.open(id, credentials) === undefined) closed.push(id);
    }
  }
  return closed;
}
