/** Trials in which the provider does not answer, or not readably. `not_sent` must be certain; everything else is `unknown`. */
import assert from "node:assert/strict";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import { assertError } from "./outcomes.ts";
import { assertRegistered, issue, markOf, reconcile, status } from "./questions.ts";
import { buildSent } from "./samples.ts";
import type { SceneName } from "./scenes.ts";
import { ABORT_MS_MAX, type Stage } from "./stage.ts";
import type { Trial } from "./trial.ts";

const DOCUMENTS = 3;
const PAUSE_MS = 5;
const ARRIVAL_MS_MAX = 10_000;

/** The provider has the document but its answer does not say so: a lookup finds it, without sending anything. */
function lostAnswer(scene: Exclude<SceneName, "rejects">, what: string): Trial {
  return {
    name: `says unknown after ${what}, and finds the document when it is asked`,
    scene,
    async run(stage) {
      const documents = stage.documents(1);
      await issue(stage, documents, ["unknown"]);
      await assertRegistered(stage, 1, "after the send");
      await findAfter(stage, documents);
    },
  };
}

/** As after a restart, since the same failure may have stopped the process. */
async function findAfter(stage: Stage, documents: readonly OutgoingDocument[]): Promise<void> {
  await stage.restart();
  for (const document of documents) {
    const sent = buildSent(document, undefined, stage.clock);
    const [found] = await reconcile(stage, [sent], ["issued", "accepted"]);
    assert.ok(found !== undefined);
    const mark = await markOf(stage, document, found);
    const [again] = await reconcile(stage, [sent], ["issued"]);
    assert.equal(again?.mark, mark, "asked again, it finds the same MARK");
  }
  await assertRegistered(stage, documents.length, "after asking what became of the send");
}

export const TROUBLE_TRIALS: readonly Trial[] = [
  {
    name: "says not_sent, and nothing else, where no connection can be made",
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
      assert.equal(verified.kind, "unavailable", "verify says that it could not ask");
      if (verified.kind === "unavailable") assertError(verified.error, "verify.error");
    },
  },
  {
    name: "says unknown after a connection that ended before the send was read, and absent when it is asked",
    scene: "cutsBefore",
    async run(stage) {
      const documents = stage.documents(1);
      await issue(stage, documents, ["unknown"]);
      await stage.restart();
      const sent = documents.map((document) => buildSent(document, undefined, stage.clock));
      await reconcile(stage, sent, ["absent"]);
      await assertRegistered(stage, 0, "after asking what became of the send");
    },
  },
  lostAnswer("cutsAfter", "a connection that ended before the answer"),
  lostAnswer("garbled", "an answer that cannot be read"),
  lostAnswer("fails", "an unexplained 500"),
  {
    name: "ends soon when the program must end, and says unknown of what was sent",
    scene: "slow",
    async run(stage) {
      const documents = stage.documents(1);
      const cut = new AbortController();
      const sent = issue(stage, documents, ["unknown"], { signal: cut.signal });
      // It may end before it is aborted; awaiting it below shows that.
      await Promise.race([arrival(stage), sent.catch(() => undefined)]);
      cut.abort();
      await endsWithin(ABORT_MS_MAX, sent);
      await findAfter(stage, documents);
    },
  },
  {
    name: "ends soon when the program must end already, and says not_sent only of what was not sent",
    scene: "registering",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const kinds = ["not_sent", "unknown", "issued", "accepted"] as const;
      const limits = { signal: AbortSignal.abort(), msMax: ABORT_MS_MAX };
      const outcomes = await issue(stage, documents, kinds, limits);
      const mayBeThere = outcomes.filter(({ kind }) => kind !== "not_sent").length;
      const registered = await stage.scene.registrations();
      assert.ok(registered <= mayBeThere, "what was not sent is not registered");
    },
  },
];

async function arrival({ scene }: Stage): Promise<void> {
  for (let waitedMs = 0; waitedMs < ARRIVAL_MS_MAX; waitedMs += PAUSE_MS) {
    if ((await scene.registrations()) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new assert.AssertionError({ message: "the scene registers the document before it holds its answer" });
}

async function endsWithin(msMax: number, sent: Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await sent;
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs <= msMax, `issue took ${Math.round(tookMs)} ms to end once it was aborted, not ${msMax}`);
}
