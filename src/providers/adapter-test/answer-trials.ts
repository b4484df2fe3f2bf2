/** Trials in which the provider responds: documents registered, refused and cancelled, credentials accepted and refused. */
import assert from "node:assert/strict";
import {
  assertError,
  assertOutcome,
  assertRegistered,
  issue,
  markOf,
  reconcile,
  status,
} from "./questions.ts";
import { buildSent } from "./samples.ts";
import type { Scene } from "./scenes.ts";
import type { Stage, Trial } from "./stage.ts";

const DOCUMENTS = 3;
const DONE = ["issued", "accepted"] as const;

export const ANSWER_TRIALS: readonly Trial[] = [
  {
    name: "returns the MARK with the outcome if the provider returns it at once",
    scene: "issues",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const outcomes = await issue(stage, documents, ["issued"]);
      const marks = new Set(outcomes.map(({ mark }) => mark));
      assert.equal(marks.size, documents.length, "each document has its own MARK");
    },
  },
  {
    name: "returns accepted if the MARK comes later, and finds it when polled",
    scene: "accepts",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const outcomes = await issue(stage, documents, ["accepted"]);
      await stage.restart();
      for (const [index, document] of documents.entries()) await markOf(stage, document, outcomes[index]!);
      await assertRegistered(stage, documents.length, "after sending and polling");
    },
  },
  {
    name: "returns outcomes in the order of the documents, and registers each once",
    scene: "registering",
    run: checkOrder,
  },
  {
    name: "reports a refusal with the provider's code and message",
    scene: "rejects",
    async run(stage) {
      const { code, message } = stage.scene.refusal;
      for (const { error } of await issue(stage, stage.documents(DOCUMENTS), ["rejected"])) {
        assert.equal(error.provider_code, code, "provider_code is the provider's code, unchanged");
        assert.equal(
          error.provider_message,
          message,
          "provider_message is the provider's message, unchanged",
        );
      }
      await assertRegistered(stage, 0, "after the refusal");
    },
  },
  {
    name: "reports refused credentials as such",
    scene: "refusesCredentials",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      await issue(stage, documents, ["credentials_refused"]);
      const sent = documents.map((document) => buildSent(document, undefined, stage.clock));
      await reconcile(stage, sent, ["credentials_refused"]);
      const verified = await stage.ask("verify", (call) => stage.adapter.verify(call));
      assert.equal(verified.kind, "refused", "verify reports that the credentials are refused");
      if (verified.kind === "refused") assertError(verified.error, "verify.error");
      await assertRegistered(stage, 0, "after the refusal");
    },
  },
  {
    name: "accepts valid credentials without registering anything",
    scene: "registering",
    async run(stage) {
      const verified = await stage.ask("verify", (call) => stage.adapter.verify(call));
      assert.equal(verified.kind, "accepted");
      await assertRegistered(stage, 0, "after verifying");
    },
  },
  { name: "cancels if canCancel is true, and throws otherwise", scene: "registering", run: checkCancelling },
  {
    name: "returns the provider's PDF, or reports that there is none",
    scene: "registering",
    async run(stage) {
      const sent = await registerOne(stage);
      const pdf = await stage.ask("fetchPdf", async (call) => {
        const outcome = await stage.adapter.fetchPdf(sent, call);
        return outcome.kind === "pdf"
          ? { ...outcome, bytes: Buffer.from(outcome.bytes).toString("latin1") }
          : outcome;
      });
      assertOutcome(pdf, ["pdf", "not_ready", "none"], { what: "fetchPdf", numbering: "ours" });
      if (stage.adapter.hasPdf === false)
        assert.equal(pdf.kind, "none", "fetchPdf returns none if hasPdf is false");
      if (pdf.kind === "pdf") assert.ok(pdf.bytes.startsWith("%PDF-"), "the bytes are a PDF");
      await assertRegistered(stage, 1, "after asking for the PDF");
    },
  },
];

/** Looks up each document by itself after a restart, to see which document an outcome belongs to. */
async function checkOrder(stage: Stage): Promise<void> {
  const documents = stage.documents(DOCUMENTS);
  const outcomes = await issue(stage, documents, DONE);
  await assertRegistered(stage, documents.length, "after the send");
  await stage.restart();
  for (const [index, document] of documents.entries()) {
    const mark = await markOf(stage, document, outcomes[index]!);
    const [found] = await reconcile(stage, [buildSent(document, undefined, stage.clock)], ["issued"]);
    assert.equal(
      found?.mark,
      mark,
      `the MARK of document ${index} is the one that a lookup by identity finds`,
    );
  }
  await assertRegistered(stage, documents.length, "after the lookups");
}

/** One registered document with its MARK. */
async function registerOne(stage: Stage<Scene>) {
  const [document] = stage.documents(1);
  assert.ok(document !== undefined);
  const [outcome] = await issue(stage, [document], DONE);
  assert.ok(outcome !== undefined);
  return { ...buildSent(document, outcome, stage.clock), mark: await markOf(stage, document, outcome) };
}

async function checkCancelling(stage: Stage): Promise<void> {
  const sent = await registerOne(stage);
  const about = { numbering: stage.adapter.numbering };
  const look = () => stage.ask("findCancellation", (call) => stage.adapter.findCancellation(sent, call));
  if (!stage.adapter.canCancel) {
    const before = await stage.scene.requests();
    await assert.rejects(
      stage.ask("cancel", async (call) => stage.adapter.cancel(sent, call)),
      "cancel throws if canCancel is false",
    );
    assert.equal(await stage.scene.requests(), before, "cancel sends no request");
    await status(stage, [sent], ["issued"]);
    return;
  }
  assertOutcome(await look(), ["not_cancelled"], { what: "findCancellation before", ...about });
  const cancelled = await stage.ask("cancel", (call) => stage.adapter.cancel(sent, call));
  assertOutcome(cancelled, ["cancelled"], { what: "cancel", ...about });
  await stage.restart();
  const found = await look();
  assertOutcome(found, ["cancelled"], { what: "findCancellation after", ...about });
  assert.equal(
    found.cancellationMark,
    cancelled.cancellationMark,
    "cancel and findCancellation return the same cancellation MARK",
  );
}
