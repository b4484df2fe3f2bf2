/** Trials of the adapter's shape and of what it does without the provider. */
import assert from "node:assert/strict";
import { checkAgainstForm } from "../../domain/credentials-form.ts";
import { listProblems } from "../../foundation/errors.ts";
import { findShapeProblems } from "../adapter-shape.ts";
import { createTestCall } from "./evidence.ts";
import type { Stage, Trial } from "./stage.ts";

export const FORM_TRIALS: readonly Trial[] = [
  {
    name: "has all members of the contract",
    scene: "registering",
    async run({ adapter }, { provider }) {
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
