/** The disk under the database: it can be full, failing or locked, and lose the end of an unfinished commit. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import Database from "better-sqlite3";
import { type Killable, ProcessEnded } from "./killing.ts";

export type DiskTrouble = "full" | "failing" | "locked";

/** A statement that a process runs. */
interface Execution {
  database: Database.Database;
  sql: string;
  isReadOnly: boolean;
  run(): unknown;
}

export interface Disk {
  trouble: DiskTrouble | undefined;
  /** The commits so far: between two of them nothing in the database changes. */
  commits: number;
  execute(process: Killable, execution: Execution): unknown;
  freeBytes(): number;
  /** Replaces the files by what a machine finds after it stopped; no connection may write meanwhile. */
  stopMachine(connections: Iterable<Database.Database>): void;
}

export interface DiskOptions {
  file: string;
  random(): number;
}

const PLENTY_BYTES = 1024 ** 3;
const ERRORS = {
  full: ["database or disk is full", "SQLITE_FULL"],
  failing: ["disk I/O error", "SQLITE_IOERR_WRITE"],
  locked: ["database is locked", "SQLITE_BUSY"],
} as const satisfies Record<DiskTrouble, readonly [string, string]>;

export function createDisk({ file, random }: DiskOptions): Disk {
  const log = `${file}-wal`;
  /** The size of the log before and after the commit that a kill interrupted. */
  let torn: { from: number; to: number } | undefined;
  const sizeOfLog = () => (existsSync(log) ? statSync(log).size : 0);

  const disk: Disk = {
    trouble: undefined,
    commits: 0,
    freeBytes: () => (disk.trouble === "full" ? 0 : PLENTY_BYTES),
    execute(process, { database, sql, isReadOnly, run }) {
      const isCommit = sql === "commit";
      if (isCommit) disk.commits += 1;
      if (isDueToEnd(process, isCommit)) return endDuring(process, isCommit, run);
      const { trouble } = disk;
      if (trouble !== undefined && meets(trouble, sql, isReadOnly)) fail(database, trouble);
      return run();
    },
    stopMachine(connections) {
      const kept = [file, log].filter(existsSync);
      for (const path of kept) copyFileSync(path, `${path}.kept`);
      // SQLite tidies up when a connection is closed, which a machine that stops cannot do.
      for (const connection of connections) connection.close();
      for (const path of [file, log, `${file}-shm`]) rmSync(path, { force: true });
      for (const path of kept) renameSync(`${path}.kept`, path);
      tearLog();
    },
  };

  /** Only what no caller was told of may be lost: everything else was synced. */
  function tearLog(): void {
    if (torn !== undefined && torn.to > torn.from)
      truncateSync(log, torn.from + Math.floor(random() * (torn.to - torn.from)));
    // Pages of a transaction that had not come to its commit.
    else if (existsSync(log) && random() < 0.5)
      appendFileSync(log, Buffer.alloc(Math.floor(random() * 9000), 0x5a));
    torn = undefined;
  }

  function isDueToEnd({ killing }: Killable, isCommit: boolean): boolean {
    if (killing === undefined) return false;
    killing.operations -= 1;
    return killing.operations <= 0 && (isCommit || killing.how === "statement");
  }

  function endDuring(process: Killable, isCommit: boolean, run: () => unknown): never {
    const how = process.killing?.how;
    if (isCommit && how !== "statement") {
      const from = sizeOfLog();
      run();
      if (how === "torn") torn = { from, to: sizeOfLog() };
    }
    process.end(
      how === "torn"
        ? "the machine stopped during a commit"
        : how === "committed"
          ? "killed after a commit"
          : "killed",
    );
    throw new ProcessEnded();
  }

  /** As SQLite does, some failures end the transaction, and some leave it open. */
  function fail(database: Database.Database, trouble: DiskTrouble): never {
    if (trouble !== "locked" && database.inTransaction && random() < 0.5) database.exec("rollback");
    const [message, code] = ERRORS[trouble];
    throw new Database.SqliteError(message, code);
  }

  return disk;
}

function meets(trouble: DiskTrouble, sql: string, isReadOnly: boolean): boolean {
  if (trouble === "locked") return sql === "begin immediate";
  return sql === "commit" || (!isReadOnly && !/^(begin|rollback|savepoint|release)/.test(sql));
}
