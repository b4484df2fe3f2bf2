/**
 * The trials of the suite: what an adapter is without the provider, what it makes of answers, and what it does without a readable one,
 * where `not_sent` must be certain and everything else is `unknown`.
 */
import assert from "node:assert/strict";
import { checkAgainstForm } from "../../domain/credentials-form.ts";
import type { OutgoingDocument } from "../../domain/provider-adapter.ts";
import { listProblems } from "../../foundation/errors.ts";
import { findShapeProblems } from "../adapter-shape.ts";
import { assertOutcome, assertRegistered, ask, markOf, unanswered, verify } from "./questions.ts";
import { buildSent, type SceneName } from "./scenes.ts";
import { ABORT_MS_MAX, createTestCall, type Stage } from "./stage.ts";

export interface Trial {
  name: string;
  /** `registering` means `issues` or, if the provider does not have that scene, `accepts`. */
  scene: SceneName | "registering";
  run(stage: Stage): Promise<void>;
}

const DOCUMENTS = 3;
const DONE = ["issued", "accepted"] as const;

export const TRIALS: readonly Trial[] = [
  {
    name: "has all members of the contract",
    scene: "registering",
    async run({ adapter, provider }) {
      assert.deepEqual(
        findShapeProblems(adapter, provider).map(({ en }) => en),
        [],
      );
    },
  },
  {
    name: "has a form that accepts the credentials of the test",
    scene: "registering",
    async run({ adapter, credentials }) {
      assert.equal(
        adapter.credentials === null,
        credentials === null,
        "credentials is null only if the adapter has no form",
      );
      if (adapter.credentials === null) return;
      const checked = checkAgainstForm(adapter.credentials, credentials);
      assert.equal("problems" in checked ? listProblems(checked.problems).en : "", "");
    },
  },
  {
    name: "builds the payload deterministically, as plain JSON, without a request",
    scene: "registering",
    run: checkPayloads,
  },
  {
    name: "checks a document without changing it, and accepts a valid one",
    scene: "registering",
    async run({ adapter, documents, clock }) {
      const [document] = documents(1);
      if (adapter.check === undefined || document === undefined) return;
      const { sentType, vatPaymentSuspension } = document;
      const about = Object.freeze({ sentType, today: clock.today(), vatPaymentSuspension });
      const check = adapter.check(document.input, about);
      assert.deepEqual(
        adapter.check(document.input, about),
        check,
        "check returns the same for the same document",
      );
      assert.deepEqual(check.problems, [], "check finds no problem in a document that the provider accepts");
      assert.ok(Array.isArray(check.warnings), "check returns a list of warnings");
      assert.ok(
        ["validation_failed", "not_supported"].includes(check.code),
        "check returns one of the two error codes",
      );
    },
  },
  {
    name: "returns the MARK with the outcome if the provider returns it at once",
    scene: "issues",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const outcomes = await ask(stage, "issue", documents, ["issued"]);
      const marks = new Set(outcomes.map(({ mark }) => mark));
      assert.equal(marks.size, documents.length, "each document has its own MARK");
    },
  },
  {
    name: "returns accepted if the MARK comes later, and finds it when polled",
    scene: "accepts",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      const outcomes = await ask(stage, "issue", documents, ["accepted"]);
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
      const { code, message } = stage.scene.refusal!;
      for (const { error } of await ask(stage, "issue", stage.documents(DOCUMENTS), ["rejected"])) {
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
      await ask(stage, "issue", documents, ["credentials_refused"]);
      await ask(stage, "reconcile", unanswered(stage, documents), ["credentials_refused"]);
      await verify(stage, "refused");
      await assertRegistered(stage, 0, "after the refusal");
    },
  },
  {
    name: "accepts valid credentials without registering anything",
    scene: "registering",
    async run(stage) {
      await verify(stage, "accepted");
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
  {
    name: "returns not_sent if no connection can be made",
    scene: "unreachable",
    async run(stage) {
      const documents = stage.documents(DOCUMENTS);
      await ask(stage, "issue", documents, ["not_sent"]);
      const sent = unanswered(stage, documents);
      // The provider was not reached, so its absence is not known.
      await ask(stage, "reconcile", sent, ["not_sent", "unknown"]);
      const taken = sent.map((document) => ({ ...document, providerRef: document.id }));
      await ask(stage, "status", taken, ["not_sent", "unknown"]);
      await verify(stage, "unavailable");
    },
  },
  {
    name: "returns unknown if the connection closes before the request is read, and absent when asked",
    scene: "cutsBefore",
    async run(stage) {
      const documents = stage.documents(1);
      await ask(stage, "issue", documents, ["unknown"]);
      await stage.restart();
      await ask(stage, "reconcile", unanswered(stage, documents), ["absent"]);
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
      const sent = ask(stage, "issue", documents, ["unknown"], { signal: cut.signal });
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
      const outcomes = await ask(stage, "issue", documents, kinds, limits);
      const possiblySent = outcomes.filter(({ kind }) => kind !== "not_sent").length;
      const registered = await stage.scene.registrations();
      assert.ok(registered <= possiblySent, "documents reported as not_sent are not registered");
    },
  },
];

/** The documents are frozen, so changing one throws. */
async function checkPayloads(stage: Stage): Promise<void> {
  const { scene, clock, credentials, documents } = stage;
  const { signal } = new AbortController();
  const call = createTestCall({ credentials, clock, signal });
  for (const document of documents(2)) {
    const payload = stage.adapter.buildPayload(document);
    assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload, "the payload is plain JSON");
    assert.deepEqual(stage.adapter.buildPayload(document), payload, "the payload is the same if built twice");
    await stage.restart();
    assert.deepEqual(
      stage.adapter.buildPayload(document),
      payload,
      "the payload is the same after a restart",
    );
    call.assertFreeOfSecrets(payload, "the payload");
  }
  assert.equal(await scene.requests(), 0, "buildPayload sends no request");
}

/** Looks up each document by itself after a restart, to see which document an outcome belongs to. */
async function checkOrder(stage: Stage): Promise<void> {
  const documents = stage.documents(DOCUMENTS);
  const outcomes = await ask(stage, "issue", documents, DONE);
  await assertRegistered(stage, documents.length, "after the send");
  await stage.restart();
  for (const [index, document] of documents.entries()) {
    const mark = await markOf(stage, document, outcomes[index]!);
    const [found] = await ask(stage, "reconcile", unanswered(stage, [document]), ["issued"]);
    assert.equal(
      found?.mark,
      mark,
      `the MARK of document ${index} is the one that a lookup by identity finds`,
    );
  }
  await assertRegistered(stage, documents.length, "after the lookups");
}

async function registerOne(stage: Stage) {
  const [document] = stage.documents(1);
  assert.ok(document !== undefined);
  const [outcome] = await ask(stage, "issue", [document], DONE);
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
    await ask(stage, "status", [sent], ["issued"]);
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

/** The provider has the document but its response is lost: a lookup finds it, without sending anything. */
function lostAnswer(scene: SceneName, what: string): Trial {
  return {
    name: `returns unknown after ${what}, and finds the document when asked`,
    scene,
    async run(stage) {
      const documents = stage.documents(1);
      await ask(stage, "issue", documents, ["unknown"]);
      await assertRegistered(stage, 1, "after the send");
      await assertFoundAfterRestart(stage, documents);
    },
  };
}

/** Restarts first, since the same failure may have stopped the process. */
async function assertFoundAfterRestart(stage: Stage, documents: readonly OutgoingDocument[]): Promise<void> {
  await stage.restart();
  for (const document of documents) {
    const sent = unanswered(stage, [document]);
    const [found] = await ask(stage, "reconcile", sent, DONE);
    assert.ok(found !== undefined);
    const mark = await markOf(stage, document, found);
    const [again] = await ask(stage, "reconcile", sent, ["issued"]);
    assert.equal(again?.mark, mark, "a second lookup finds the same MARK");
  }
  await assertRegistered(stage, documents.length, "after the lookups");
}

const PAUSE_MS = 5;
const ARRIVAL_MS_MAX = 10_000;

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
