/** Whether the file is sound, whole, and of this program's version. */
import { isStorageFailure } from "../../../storage/errors.ts";
import { SCHEMA_VERSION } from "../../../storage/schema-version.ts";
import { findAppliance } from "../../../storage/diagnosis.ts";
import { findPrograms } from "../../../storage/strangers.ts";
import { type Finding, findingsOf, type OpenPatient } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("database");

/** What to do about a file that cannot be trusted any more. */
export const REPAIR =
  "stop the server, keep a copy of the whole data directory, and restore the last good backup";

export async function checkSoundness({ inspection }: OpenPatient): Promise<Finding[]> {
  const damage = inspection.findDamage();
  if (damage.length > 0) {
    return [problem(`The database file is damaged: ${damage.join("; ")}.`, { next: REPAIR })];
  }
  const tables = inspection.findBrokenReferences();
  if (tables.length > 0) {
    return [problem(`Rows of ${tables.join(", ")} refer to rows that are not there.`, { next: REPAIR })];
  }
  const programs = await findPrograms(inspection.session);
  if (programs.length > 0) {
    return [
      problem(
        `In the database stands what fiscal does not make, and what may change its rows: ${programs.join(", ")}.`,
        {
          next: "find out who put it there, take it out (drop trigger …), and run fiscal audit",
        },
      ),
    ];
  }
  return [ok("The database file is sound.")];
}

export function hasOurSchema({ inspection }: OpenPatient): boolean {
  if (inspection.version() !== SCHEMA_VERSION) return false;
  try {
    return !inspection.isUnreleased();
  } catch (error) {
    // The damage is reported by the checks of the file; the tables may still be readable.
    if (!isStorageFailure(error)) throw error;
    return true;
  }
}

const UNRELEASED_NEXT =
  "issue and export what it still holds with that version, then move it away and begin with a new database (fiscal init)";

export function checkSchema({ inspection, command }: OpenPatient): Finding[] {
  if (inspection.isUnreleased())
    return [problem("An unreleased version of fiscal made the database.", { next: UNRELEASED_NEXT })];
  const version = inspection.version();
  if (version === SCHEMA_VERSION) return [ok(`The schema is of this version (${version}).`)];
  if (version > SCHEMA_VERSION) {
    return [
      problem(`A newer fiscal wrote the database: schema ${version}, this one knows ${SCHEMA_VERSION}.`, {
        next: "install the version that wrote it, or a newer one",
      }),
    ];
  }
  if (version === 0)
    return [problem("The file holds no database of fiscal.", { next: command(null, "init") })];
  return [
    notice(
      `The schema is older (${version}) than this version's (${SCHEMA_VERSION}); the next start brings it up. ` +
        "What its tables hold was not looked at.",
      {
        next: `start the server, or without one: ${command(null, "init")} – each keeps a backup first; then look again`,
      },
    ),
  ];
}

/** decisions 15: a restored backup reads, and sends nothing until it is told to. */
export async function checkState({ inspection, command }: OpenPatient): Promise<Finding[]> {
  const appliance = await findAppliance(inspection.session);
  if (appliance === undefined) {
    return [problem("The database was made but never finished.", { next: command(null, "init") })];
  }
  if (appliance.state !== "held") return [];
  return [
    problem("The appliance is held after a restore: it sends nothing.", {
      next: `when the other one is off for good: ${command(null, "resume")}`,
    }),
  ];
}
