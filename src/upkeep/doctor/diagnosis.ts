/** `fiscal doctor`: every check, each by itself, so that what one cannot read hides nothing of the others. */
import { statSync } from "node:fs";
import { isStorageFailure, isUnopenable, StorageError } from "../../../storage/errors.ts";
import { type Inspection, inspectDatabase } from "../../../storage/inspection.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { checkBackup } from "./check-backup.ts";
import { checkClock, checkClockOnline, watchClock } from "./check-clock.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { checkConnections } from "./check-connections.ts";
import { checkSchema, checkSoundness, checkState, hasOurSchema, REPAIR } from "./check-database.ts";
import { checkDocuments, checkQueue } from "./check-documents.ts";
import { checkDisk, checkFiles } from "./check-files.ts";
import { type Finding, findingsOf, type OpenPatient, type Patient } from "./doctor-finding.ts";
import { checkMasterKey } from "./check-master-key.ts";
import { checkKeys, checkNumbering, checkRetention } from "./check-records.ts";
import { checkListening } from "./check-listening.ts";
import { checkServing } from "./check-serving.ts";
import { checkWebhooks } from "./check-webhooks.ts";

export interface Diagnosis {
  object: "diagnosis";
  /** No finding needs a person. */
  healthy: boolean;
  findings: Finding[];
}

type Check = (patient: OpenPatient) => Finding[] | Promise<Finding[]>;

/** In the order of the report. These need only the file itself. */
const CHECKS_OF_FILE: readonly (readonly [name: string, check: Check])[] = [
  ["database", checkSoundness],
  ["database", checkSchema],
];

/** These read tables, which an older schema may not have. */
const CHECKS_OF_TABLES: readonly (readonly [name: string, check: Check])[] = [
  ["database", checkState],
  ["master key", checkMasterKey],
  ["clock", checkClock],
  ["connections", checkConnections],
  ["webhooks", checkWebhooks],
  ["documents", checkDocuments],
  ["queue", checkQueue],
  ["numbering", checkNumbering],
  ["keys", checkKeys],
  ["retention", checkRetention],
  ["backup", checkBackup],
];

/** Looks at everything and changes nothing, leaving no file behind. Works beside a server, and on a database that is damaged, old or not there. */
export async function diagnose(patient: Patient): Promise<Diagnosis> {
  const watch = watchClock(patient.clock, () => performance.now());
  return diagnosisOf([
    ...checkConfiguration(patient),
    ...(await run("listening", () => checkListening(patient))),
    ...(await lookAtDatabase(patient)),
    ...(patient.online ? await checkClockOnline(patient) : []),
    ...watch(),
  ]);
}

/** The diagnosis where the configuration cannot be loaded: nothing else can be found without it. */
export function diagnoseWithoutConfiguration(message: string): Diagnosis {
  const { problem } = findingsOf("configuration");
  return diagnosisOf([
    problem(message, { next: "correct it as the message says; config.example.toml has every setting" }),
  ]);
}

function diagnosisOf(findings: Finding[]): Diagnosis {
  return {
    object: "diagnosis",
    healthy: findings.every(({ severity }) => severity !== "problem"),
    findings,
  };
}

const { problem } = findingsOf("database");

const OTHER_USER = "run this as the user whose it is, and name the right place with --data-dir";

async function lookAtDatabase(patient: Patient): Promise<Finding[]> {
  const { database } = patient.config.storage;
  const absence = absenceOf(database);
  if (absence !== undefined) {
    const next = `${patient.command(null, "init")}, or name the right place with --data-dir`;
    return absence === "ENOENT"
      ? [problem(`There is no database at ${database}.`, { next })]
      : [
          problem(`The database ${database} cannot be looked at (${absence}).`, {
            next: OTHER_USER,
          }),
        ];
  }
  const findings = [
    ...(await run("files", () => checkFiles(patient))),
    ...(await run("disk", () => checkDisk(patient))),
    ...(await run("server", () => checkServing(patient))),
  ];
  let inspection: Inspection;
  try {
    inspection = inspectDatabase(database);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const next = isUnopenable(error.cause) ? OTHER_USER : REPAIR;
    return [...findings, problem(`${error.message}.`, { next })];
  }
  try {
    const open = { ...patient, inspection };
    for (const [name, check] of CHECKS_OF_FILE) findings.push(...(await run(name, () => check(open))));
    // With another schema the tables are other tables: what they hold is looked at once it is brought up.
    if (!hasOurSchema(open)) return findings;
    for (const [name, check] of CHECKS_OF_TABLES) findings.push(...(await run(name, () => check(open))));
    return findings;
  } finally {
    inspection.close();
  }
}

/** Why the file cannot be seen, mostly in the system's word; undefined where it can. */
function absenceOf(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? undefined : "no file";
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** Whatever a check meets is a finding: what one cannot read hides nothing of the others. */
async function run(name: string, check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [
      findingsOf(name).problem(`What this looks at cannot be read: ${reasonOf(error)}.`, { next: REPAIR }),
    ];
  }
}

/** Of other errors only the kind: what they quote may be somebody's data. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  return isStorageFailure(error) || "syscall" in error ? error.message : error.name;
}
