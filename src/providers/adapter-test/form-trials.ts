/** Trials of the adapter's shape and of what it builds without asking the provider. */
import assert from "node:assert/strict";
import { checkAgainstForm } from "../../domain/credentials-form.ts";
import { listProblems } from "../../foundation/errors.ts";
import { findShapeProblems } from "../adapter-shape.ts";
import { createTestCall } from "./evidence.ts";
import type { Stage } from "./stage.ts";
import type { Trial } from "./trial.ts";

export const FORM_TRIALS: readonly Trial[] = [
  {
    name: "has every member of the contract",
    scene: "registering",
    async run({ adapter }, { provider }) {
      assert.deepEqual(
        findShapeProblems(adapter, provider).map(({ en }) => en),
        [],
      );
    },
  },
  {
    name: "takes the credentials of the test by its own form",
    scene: "registering",
    async run({ adapter, credentials }) {
      assert.equal(
        adapter.credentials === null,
        credentials === null,
        "credentials are given as the form asks",
      );
      if (adapter.credentials === null) return;
      const checked = checkAgainstForm(adapter.credentials, credentials);
      assert.equal("problems" in checked ? listProblems(checked.problems).en : "", "");
    },
  },
  {
    name: "builds the same payload of the same document, as plain JSON, and asks nobody",
    scene: "registering",
    run: buildPayloads,
  },
  {
    name: "checks a document without changing it, and finds nothing wrong with a right one",
    scene: "registering",
    async run({ adapter, documents, clock }) {
      const [document] = documents(1);
      if (adapter.check === undefined || document === undefined) return;
      const about = Object.freeze({ sentType: document.sentType, today: clock.today() });
      const check = adapter.check(document.input, about);
      assert.deepEqual(
        adapter.check(document.input, about),
        check,
        "check says the same of the same document",
      );
      assert.deepEqual(check.problems, [], "check finds no problem in a document that the provider takes");
      assert.ok(Array.isArray(check.warnings), "check answers a list of warnings");
      assert.ok(
        ["validation_failed", "not_supported"].includes(check.code),
        "check says which refusal it is",
      );
    },
  },
];

/** The document is frozen: what changes it throws. */
async function buildPayloads(stage: Stage): Promise<void> {
  const { scene, clock, credentials, documents } = stage;
  const { signal } = new AbortController();
  const call = createTestCall({ credentials, clock, signal });
  for (const document of documents(2)) {
    const payload = stage.adapter.buildPayload(document);
    assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload, "the payload is plain JSON");
    assert.deepEqual(stage.adapter.buildPayload(document), payload, "built twice, it is the same");
    await stage.restart();
    assert.deepEqual(stage.adapter.buildPayload(document), payload, "another process builds the same");
    call.assertFreeOfSecrets(payload, "the payload");
  }
  assert.equal(await scene.requests(), 0, "building a payload asks nobody");
}
