/** How processes end. */

/** Thrown into code of a process that has been killed. Whatever the code does then has no effect. */
export class ProcessEnded extends Error {
  constructor() {
    super("The process has ended");
  }
}

/** When a process is killed: before its `operations`-th statement from now, or at the first commit from then on. */
export interface Killing {
  operations: number;
  /** `torn`: in the middle of a commit, with the whole machine. `committed`: after a commit that nobody hears of. */
  how: "statement" | "torn" | "committed";
}

/** A process that can be killed. */
export interface Killable {
  killing: Killing | undefined;
  end(why: string): void;
}
