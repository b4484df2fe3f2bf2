/**
 * The situations that an adapter is put into, each with a fake of its provider that the adapter's author writes: only the author
 * knows the provider's words. The suite brings what must hold whatever the words are.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";

/** The time of the suite, which stands still: what a fake dates by. Documents of the suite are dated `today`. */
export interface SceneClock {
  nowMs(): number;
  /** The day in Athens, `YYYY-MM-DD`. */
  today(): string;
}

/** One fake provider, fresh. */
export interface Scene {
  /** Where it is reached; whatever `createAdapter` makes of it. */
  url: string;
  /** How many documents it holds as registered. Counted by the fake, whatever it answered about them. */
  registrations(): number | Promise<number>;
  /** How many requests have reached it, of whatever kind. */
  requests(): number | Promise<number>;
  /** What the suite's document must have more, or otherwise, for this scene. */
  adapt?(document: OutgoingDocument): OutgoingDocument;
  /** May throw with what the fake did not like; the case fails then. */
  close(): Promise<void>;
}

/** A provider that refuses documents for good, in these words of its own. */
export interface RefusingScene extends Scene {
  refusal: { code: string; message: string };
}

/** Why the situation does not exist for this adapter. Taken only where the contract allows that. */
export interface CannotHappen {
  cannotHappen: string;
}

type Open<Opened extends Scene = Scene> = ((clock: SceneClock) => Promise<Opened>) | CannotHappen;

export interface Scenes {
  /** Registers, and gives the MARK with the answer. Where no provider's answer has it, `accepts` is enough. */
  issues: Open;
  /** Registers, and gives the MARK when it is asked for it. Where every answer has it, `issues` is enough. */
  accepts: Open;
  /** Reads each document and refuses it for good. */
  rejects: Open<RefusingScene>;
  /** Refuses the account, whatever it is asked. */
  refusesCredentials: Open;
  /** Takes no connection: `nobodyListens` is one. */
  unreachable: Open;
  /** Registers, and never answers the send; answers everything else. */
  slow: Open;
  /** Reads nothing of the send and ends the connection; answers everything else. */
  cutsBefore: Open;
  /** Registers, and ends the connection without an answer; answers everything else. */
  cutsAfter: Open;
  /** Registers, and answers the send with what cannot be read, such as half of the answer; answers everything else. */
  garbled: Open;
  /** Registers, and answers the send with an unexplained 500; answers everything else. */
  fails: Open;
}

export type SceneName = keyof Scenes;

/** Every scene, also for an author without types who forgot one. */
export const SCENE_NAMES = [
  "issues",
  "accepts",
  "rejects",
  "refusesCredentials",
  "unreachable",
  "slow",
  "cutsBefore",
  "cutsAfter",
  "garbled",
  "fails",
] as const satisfies readonly SceneName[];

/** A scene whose port nobody listens on any more. `path` is what the adapter expects behind the host. */
export async function nobodyListens(path = ""): Promise<Scene> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return {
    url: `http://127.0.0.1:${port}${path}`,
    registrations: () => 0,
    requests: () => 0,
    close: async () => {},
  };
}
