/** Trials in which there is no readable response. `not_sent` must be certain; everything else is `unknown`. */
import assert from "node:assert/strict";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import { assertError, assertRegistered, issue, markOf, reconcile, status } from "./questions.ts";
import { buildSent } from "./samples.ts";
import type { SceneName } from "./scenes.ts";
import { ABORT_MS_MAX, type Stage, type Trial } from "./stage.ts";

const DOCUMENTS = 3;
const PAUSE_MS = 5;
const ARRIVAL_MS_MAX = 10_000;

/** The provider has the document but its response is lost: a lookup finds it, without sending anything. */
function lostAnswer(scene: Exclude<SceneName, "rejects">, what: string): Trial {
  return {
    name: `returns unknown after ${what}, and finds the document when asked`,
    scene,
    async run(stage) {
      const documents = stage.documents(1);
      await issue(stage, documents, ["unknown"]);
      await assertRegistered(stage, 1, "after the send");
      await assertFoundAfterRestart(stage, documents);
    },
  };
}

/** Restarts first, since the same failure may have stopped the process. */
async function assertFoundAfterRestart(stage: Stage, documents: readonly OutgoingDocument[]): Promise<void> {
  await stage.restart();
  for (const document of documents) {
    const sent = buildSent(document, undefined, stage.clock);
    const [found] = await reconcile(stage, [sent], ["issued", "accepted"]);
    assert.ok(found !== undefined);
    const mark = await markOf(stage, document, found);
    const [again] = await reconcile(stage, [sent], ["issued"]);
    assert.equal(again?.mark, mark, "a second lookup finds the same MARK");
  }
  await assertRegistered(stage, documents.length, "after the lookups");
}

export const TROUBLE_TRIALS: readonly Trial[] = [
  {
    name: "returns not_sent if no connection can be made",
    scene: "unreachable",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      await issue(stage, documents, ["not_sent"]);
      const sent = documents.map((document) => buildSent(document, undefined, stage.clock));
      // The provider was not reached, so its absence is not known.
      await reconcile(stage, sent, ["not_sent", "unknown"]);
      const taken = sent.map((document) => ({ ...document, providerRef: document.id }));
      await status(stage, taken, ["not_sent", "unknown"]);
      const verified = await stage.ask("verify", (call) => stage.adapter.verify(call));
      assert.equal(verified.kind, "unavailable", "verify reports that the provider is unavailable");
      if (verified.kind === "unavailable") assertError(verified.error, "verify.error");
    },
  },
  {
    name: "returns unknown if the connection closes before the request is read, and absent when asked",
    scene: "cutsBefore",
    async run(stage) {
      const documents = stage.documents(1);
      await issue(stage, documents, ["unknown"]);
      await stage.restart();
      const sent = documents.map((document) => buildSent(document, undefined, stage.clock));
      await reconcile(stage, sent, ["absent"]);
      await assertRegistered(stage, 0, "after the lookups");
    },
  },
  lostAnswer("cutsAfter", "a connection closed before the response"),
  lostAnswer("garbled", "an unreadable response"),
  lostAnswer("fails", "an unexplained 500"),
  {
    name: "stops promptly when aborted, and returns unknown for what was sent",
    scene: "slow",
    async run(stage) {
      const documents = stage.documents(1);
      const cut = new AbortController();
      const sent = issue(stage, documents, ["unknown"], { signal: cut.signal });
      // If it fails before the abort, awaiting it below reports that.
      await Promise.race([waitForRegistration(stage), sent.catch(() => undefined)]);
      cut.abort();
      await assertEndsWithin(ABORT_MS_MAX, sent);
      await assertFoundAfterRestart(stage, documents);
    },
  },
  {
    name: "stops promptly if already aborted, and returns not_sent only for what was not sent",
    scene: "registering",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const kinds = ["not_sent", "unknown", "issued", "accepted"] as const;
      const limits = { signal: AbortSignal.abort(), msMax: ABORT_MS_MAX };
      const outcomes = await issue(stage, documents, kinds, limits);
      const possiblySent = outcomes.filter(({ kind }) => kind !== "not_sent").length;
      const registered = await stage.scene.registrations();
      assert.ok(registered <= possiblySent, "documents reported as not_sent are not registered");
    },
  },
];

async function waitForRegistration({ scene }: Stage): Promise<void> {
  for (let waitedMs = 0; waitedMs < ARRIVAL_MS_MAX; waitedMs += PAUSE_MS) {
    if ((await scene.registrations()) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new assert.AssertionError({
    message: "the scene registers the document before it withholds its response",
  });
}

async function assertEndsWithin(msMax: number, sent: Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await sent;
  const tookMs = performance.now() - startedMs;
  assert.ok(
    tookMs <= msMax,
    `issue took ${Math.round(tookMs)} ms to end after the abort; at most ${msMax} ms are allowed`,
  );
}
