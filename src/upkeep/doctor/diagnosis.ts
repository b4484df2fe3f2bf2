/** Runs the checks of `fiscal doctor`, each on its own: one that fails does not hide the findings of the others. */
import { statSync } from "node:fs";
import { isStorageFailure, isUnopenable, StorageError } from "../../../storage/database/errors.ts";
import { type FileInspection, inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import type { Config } from "../../config/config.ts";
import { atAddress, readDatabaseUrl, usesPostgres } from "../../config/database-url.ts";
import { createFollowingClock } from "../../foundation/clock.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { checkBackup } from "./check-backup.ts";
import { checkClock, checkClockOnline, watchClock } from "./check-clock.ts";
import { checkConfiguration } from "./check-configuration.ts";
import { checkConnections } from "./check-connections.ts";
import { checkSchema, checkSoundness, checkState, hasOurSchema, REPAIR } from "./check-database.ts";
import { checkDocuments, checkQueue } from "./check-documents.ts";
import { checkDisk, checkFiles } from "./check-files.ts";
import {
  type Finding,
  findingsOf,
  type TableCheckInput,
  type CheckInput,
  sentence,
} from "./doctor-finding.ts";
import { checkMail } from "./check-mail.ts";
import { checkMasterKey } from "./check-master-key.ts";
import { checkKeys, checkNumbering, checkRetention } from "./check-records.ts";
import { checkListening } from "./check-listening.ts";
import { checkReplication } from "./check-replication.ts";
import { checkServing } from "./check-serving.ts";
import { checkWebhooks } from "./check-webhooks.ts";

export interface Diagnosis {
  object: "diagnosis";
  /** Whether there are no problems. */
  healthy: boolean;
  findings: Finding[];
}

type Check = (input: TableCheckInput) => Finding[] | Promise<Finding[]>;

/** In the order of the report. These read tables, which an older schema may lack. */
const CHECKS_OF_TABLES: readonly (readonly [name: string, check: Check])[] = [
  ["database", checkState],
  ["master key", checkMasterKey],
  ["clock", checkClock],
  ["connections", checkConnections],
  ["webhooks", checkWebhooks],
  ["mail", checkMail],
  ["documents", checkDocuments],
  ["queue", checkQueue],
  ["numbering", checkNumbering],
  ["keys", checkKeys],
  ["retention", checkRetention],
  ["backup", checkBackup],
];

/** Runs all checks without changing anything. Works while a server runs, and with a damaged, old or missing database. */
export async function diagnose(input: CheckInput): Promise<Diagnosis> {
  const watch = watchClock(input.clock, () => performance.now());
  return diagnosisOf([
    ...checkConfiguration(input),
    ...(await run("listening", () => checkListening(input))),
    ...(await checkDatabase(input)),
    ...(input.online ? await checkClockOnline(input) : []),
    ...watch(),
  ]);
}

/** The diagnosis if the configuration cannot be loaded: no check works without it. */
export function diagnoseWithoutConfiguration(message: Text): Diagnosis {
  const { problem } = findingsOf("configuration");
  return diagnosisOf([
    problem(message, {
      next: {
        en: "correct it as the message says; config.example.toml has every setting",
        el: "διορθώστε το όπως λέει το μήνυμα· το config.example.toml έχει κάθε ρύθμιση",
      },
    }),
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

const OTHER_USER = {
  en: "run this as the user who owns it, and name the right place with --data-dir",
  el: "εκτελέστε το ως ο χρήστης στον οποίο ανήκει και ορίστε τη σωστή θέση με --data-dir",
};

async function checkDatabase(input: CheckInput): Promise<Finding[]> {
  const { storage } = input.config;
  return usesPostgres(storage) ? checkServer(input, storage) : checkFile(input);
}

/** Everything is in PostgreSQL; `data_dir` holds the master key. */
async function checkServer(input: CheckInput, storage: Config["storage"]): Promise<Finding[]> {
  const findings = await run("server", () => checkServing(input));
  try {
    const { inspectPostgres } = await import("../../../storage/postgres/inspect-postgres.ts");
    const inspection = await inspectPostgres(readDatabaseUrl(storage)!);
    findings.push(...(await run("replication", () => checkReplication(inspection))));
    // What is stored there has its times.
    const clock = createFollowingClock(input.clock.nowMs);
    await inspection.compareClock(clock);
    return [...findings, ...(await checkTables({ ...input, clock, inspection }))];
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof ConfigurationError)) throw error;
    // Says itself what to do.
    const { text } = error;
    return [
      ...findings,
      problem(error instanceof StorageError ? atAddress(storage, sentence(text)) : sentence(text)),
    ];
  }
}

async function checkFile(input: CheckInput): Promise<Finding[]> {
  const { database } = input.config.storage;
  const reason = findUnreadable(database);
  if (reason !== undefined) return [unreadable(input, database, reason)];
  const findings = [
    ...(await run("files", () => checkFiles(input))),
    ...(await run("disk", () => checkDisk(input))),
    ...(await run("server", () => checkServing(input))),
  ];
  let inspection: FileInspection;
  try {
    inspection = inspectDatabase(database);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const next = isUnopenable(error.cause) ? OTHER_USER : REPAIR;
    return [...findings, problem(sentence(error.text), { next })];
  }
  const open = { ...input, inspection };
  findings.push(...(await run("database", () => checkSoundness(open))));
  return [...findings, ...(await checkTables(open))];
}

/** Closes the inspection. */
async function checkTables(open: TableCheckInput): Promise<Finding[]> {
  const findings = await run("database", () => checkSchema(open));
  try {
    // Another schema has other tables.
    if (!hasOurSchema(open)) return findings;
    for (const [name, check] of CHECKS_OF_TABLES) findings.push(...(await run(name, () => check(open))));
    return findings;
  } finally {
    open.inspection.close();
  }
}

function unreadable({ command }: CheckInput, database: string, reason: string): Finding {
  if (reason !== "ENOENT") {
    const message = {
      en: `The database ${database} cannot be examined (${reason}).`,
      el: `Η βάση ${database} δεν μπορεί να εξεταστεί (${reason}).`,
    };
    return problem(message, { next: OTHER_USER });
  }
  const init = command(null, "init");
  const next = {
    en: `${init}, or name the right place with --data-dir`,
    el: `${init}, ή ορίστε τη σωστή θέση με --data-dir`,
  };
  return problem(
    { en: `There is no database at ${database}.`, el: `Δεν υπάρχει βάση στο ${database}.` },
    { next },
  );
}

/** Returns why the file cannot be examined, mostly the system's code; undefined if it can. */
function findUnreadable(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? undefined : "not a file";
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** Converts an error thrown by a check into a finding. */
async function run(name: string, check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const reason = describeError(error);
    const message = {
      en: `This check could not read what it needs: ${reason}.`,
      el: `Ο έλεγχος δεν μπόρεσε να διαβάσει όσα χρειάζεται: ${reason}.`,
    };
    return [findingsOf(name).problem(message, { next: REPAIR })];
  }
}

/** Names only the kind of unexpected errors, whose messages may quote personal data. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return isStorageFailure(error) || "syscall" in error ? error.message : error.name;
}
