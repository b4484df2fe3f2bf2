/** Runs the checks of `fiscal doctor`, each on its own: one that fails does not hide the findings of the others. */
import { statSync } from "node:fs";
import {
  explainSystemError,
  isStorageFailure,
  isUnopenable,
  StorageError,
} from "../../../storage/database/errors.ts";
import { type FileInspection, inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import type { Config } from "../../config/config.ts";
import { atAddress, readDatabaseUrl, usesPostgres } from "../../config/addresses.ts";
import { createFollowingClock } from "../../foundation/clock.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { clockCheck, onlineClockCheck } from "./check-clock.ts";
import { backupCheck, retentionCheck } from "./check-nightly.ts";
import { configurationCheck, listeningCheck } from "./check-configuration.ts";
import {
  hasOurSchema,
  REPAIR,
  schemaCheck,
  soundnessCheck,
  stateCheck,
  replicationCheck,
  serverAccessCheck,
  serverSchemaCheck,
  serversCheck,
} from "./check-database.ts";
import { documentsCheck, numberingCheck, queueCheck } from "./check-documents.ts";
import { diskCheck, filesCheck } from "./check-files.ts";
import { connectionsCheck, mailCheck, webhooksCheck } from "./check-deliveries.ts";
import { keysCheck, masterKeyCheck } from "./check-keys.ts";
import {
  type Check,
  type CheckInput,
  type Finding,
  type Found,
  ok,
  problem,
  sentence,
  type TableCheckInput,
} from "./doctor-finding.ts";

export interface Diagnosis {
  object: "diagnosis";
  healthy: boolean;
  findings: Finding[];
}

/** In the order of the report. These read tables, which an older schema may lack. */
const CHECKS_OF_TABLES = [
  stateCheck,
  masterKeyCheck,
  clockCheck,
  connectionsCheck,
  webhooksCheck,
  mailCheck,
  documentsCheck,
  queueCheck,
  numberingCheck,
  keysCheck,
  retentionCheck,
  backupCheck,
];

/** Runs all checks without changing anything. Works while a server runs, and with a damaged, old or missing database. */
export async function diagnose(input: CheckInput): Promise<Diagnosis> {
  const { storage } = input.config;
  return diagnosisOf([
    ...(await run([configurationCheck, listeningCheck], input)),
    ...(await (usesPostgres(storage) ? checkServer(input, storage) : checkFile(input))),
    ...(input.online ? await run([onlineClockCheck], input) : []),
  ]);
}

/** The diagnosis if the configuration cannot be loaded: no check works without it. */
export function diagnoseWithoutConfiguration(message: Text): Diagnosis {
  const next = {
    en: "correct it as the message says; config.example.toml has every setting",
    el: "διορθώστε το όπως λέει το μήνυμα· το config.example.toml έχει κάθε ρύθμιση",
  };
  return diagnosisOf([{ check: "configuration", ...problem(message, next) }]);
}

function diagnosisOf(findings: Finding[]): Diagnosis {
  return {
    object: "diagnosis",
    healthy: findings.every(({ severity }) => severity !== "problem"),
    findings,
  };
}

const OTHER_USER = {
  en: "run this as the user who owns it, and name the right place",
  el: "εκτελέστε το ως ο χρήστης στον οποίο ανήκει και ορίστε τη σωστή θέση",
  next: { operation: "chooseDataFolder" },
} as const;

const aboutDatabase = (...found: Parameters<typeof problem>): Finding => ({
  check: "database",
  ...problem(...found),
});

/** Everything is in PostgreSQL; `data_dir` holds the master key. */
async function checkServer(input: CheckInput, storage: Config["storage"]): Promise<Finding[]> {
  const findings = await run([serversCheck], input);
  try {
    const { inspectPostgres } = await import("../../../storage/postgres/postgres-schema.ts");
    const inspection = await inspectPostgres(readDatabaseUrl(storage)!);
    findings.push(...(await run([serverSchemaCheck, serverAccessCheck, replicationCheck], inspection)));
    // What is stored there has its times.
    const clock = createFollowingClock(input.clock.nowMs);
    await inspection.compareClock(clock);
    return [...findings, ...(await checkTables({ ...input, clock, inspection }))];
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof ConfigurationError)) throw error;
    // Says itself what to do.
    const text = sentence(error.text);
    return [...findings, aboutDatabase(error instanceof StorageError ? atAddress(storage, text) : text)];
  }
}

async function checkFile(input: CheckInput): Promise<Finding[]> {
  const { database } = input.config.storage;
  try {
    if (statSync(database, { throwIfNoEntry: false })?.isDirectory() !== false)
      return [missing(input, database)];
  } catch (error) {
    const { en, el } = explainSystemError(error);
    const message = {
      en: `The database ${database} cannot be examined: ${en}.`,
      el: `Η βάση ${database} δεν μπορεί να εξεταστεί: ${el}.`,
    };
    return [aboutDatabase(message, OTHER_USER)];
  }
  const findings = await run([filesCheck, diskCheck, serversCheck], input);
  let inspection: FileInspection;
  try {
    inspection = inspectDatabase(database);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return [
      ...findings,
      aboutDatabase(sentence(error.text), isUnopenable(error.cause) ? OTHER_USER : REPAIR),
    ];
  }
  const open = { ...input, inspection };
  return [...findings, ...(await run([soundnessCheck], open)), ...(await checkTables(open))];
}

async function checkTables(open: TableCheckInput): Promise<Finding[]> {
  try {
    const findings = await run([schemaCheck], open);
    // Another schema has other tables.
    return hasOurSchema(open) ? [...findings, ...(await run(CHECKS_OF_TABLES, open))] : findings;
  } finally {
    open.inspection.close();
  }
}

function missing({ command }: CheckInput, database: string): Finding {
  const init = command(null, "initialise");
  const next = {
    en: `${init}, or name the right place`,
    el: `${init}, ή ορίστε τη σωστή θέση`,
    next: { operation: "chooseDataFolder" },
  } as const;
  return aboutDatabase(
    { en: `There is no database at ${database}.`, el: `Δεν υπάρχει βάση στο ${database}.` },
    next,
  );
}

/** Runs checks one after the other. An error thrown by one becomes its finding. */
async function run<Input>(checks: readonly Check<Input>[], input: Input): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, find, ok: allWell } of checks) {
    const found: Found[] = [];
    try {
      for await (const one of find(input)) found.push(one);
    } catch (error) {
      found.push(unreadableFor(error));
    }
    if (found.length === 0 && allWell !== undefined)
      found.push(ok(typeof allWell === "function" ? allWell(input) : allWell));
    findings.push(...found.map((one) => ({ check: name, ...one })));
  }
  return findings;
}

/** Names only the kind of unexpected errors, whose messages may quote personal data. */
function unreadableFor(error: unknown): Found {
  const isError = error instanceof Error;
  const isPlain = isError && (isStorageFailure(error) || "syscall" in error);
  const reason = isPlain ? error.message : isError ? error.name : "unknown error";
  const message = {
    en: `This check could not read what it needs: ${reason}.`,
    el: `Ο έλεγχος δεν μπόρεσε να διαβάσει όσα χρειάζεται: ${reason}.`,
  };
  return problem(message, REPAIR);
}
