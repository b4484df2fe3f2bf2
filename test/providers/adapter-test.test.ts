/** The conformance suite detects adapters that violate the contract, with defects that authors are likely to write. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { IssueOutcome, ProviderAdapter } from "../../src/domain/provider-adapter.ts";
import {
  type AdapterDescription,
  describeAdapter,
  type Scenes,
} from "../../src/providers/adapter-test/describe.ts";
import { createRegistryDirect } from "../../src/providers/registry-direct/adapter.ts";
import { REGISTRY_CREDENTIALS, registryScenes } from "../helpers/scenes.ts";

type Defect = (sound: ProviderAdapter) => Partial<ProviderAdapter>;

/** registry_direct, with the members of `defect` in place of its own. */
function describeDefect(defect: Defect, scenes: Partial<Scenes> = {}): AdapterDescription {
  return {
    name: "defective",
    provider: "registry_direct",
    credentials: REGISTRY_CREDENTIALS,
    createAdapter({ exchange }, { url }) {
      const urls = { testUrl: url, liveUrl: "https://live.invalid" };
      const sound = createRegistryDirect({ ...urls, timeoutSeconds: 30, settleSeconds: 120, exchange });
      return { ...sound, ...defect(sound) };
    },
    scenes: { ...registryScenes(), ...scenes },
  };
}

/** The failing cases as `name: first line of the error`, up to the first that matches `last`. */
async function findFailures(description: AdapterDescription, last = /^$/): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of describeAdapter(description)) {
    await run().catch((error: Error) => failed.push(`${name}: ${error.message.split("\n")[0]}`));
    if (last.test(failed.at(-1) ?? "none")) break;
  }
  return failed;
}

/** Changes the outcomes of `issue`. */
const changingIssue =
  (change: (outcome: IssueOutcome) => IssueOutcome): Defect =>
  (sound) => ({
    issue: async (documents, call) => (await sound.issue(documents, call)).map(change),
  });

const DEFECTS: readonly [defect: string, find: RegExp, defect: Defect][] = [
  ["lacks a method", /has all members/, () => ({ fetchPdf: undefined as never })],
  ["names another provider", /has all members/, () => ({ provider: "provider_b" })],
  [
    "has a form that rejects the credentials",
    /has a form that accepts the credentials/,
    () => ({
      credentials: {
        fields: [{ name: "token", label: "Token", secret: true, required: true, lengthMax: 9 }],
      },
    }),
  ],
  [
    "builds a different payload each time",
    /if built twice/,
    () => {
      let built = 0;
      return { buildPayload: () => ({ built: (built += 1) }) };
    },
  ],
  [
    "builds a different payload after a restart",
    /after a restart/,
    () => {
      const process = Symbol("process").toString() + Math.random();
      return { buildPayload: () => ({ process }) };
    },
  ],
  [
    "changes the document when building its payload",
    /builds the payload.*read only|builds the payload.*not extensible/s,
    (sound) => ({
      buildPayload(document) {
        document.series = "B";
        return sound.buildPayload(document);
      },
    }),
  ],
  [
    "puts a credential into the payload",
    /the payload must not contain a credential/,
    () => ({ buildPayload: () => ({ key: REGISTRY_CREDENTIALS.subscription_key }) }),
  ],
  [
    "finds problems in a valid document",
    /finds no problem/,
    () => ({
      check: () => ({ problems: [{ path: "lines", message: "no" }], warnings: [], code: "not_supported" }),
    }),
  ],
  [
    "returns outcomes in another order",
    /is the one that a lookup by identity finds/,
    (sound) => ({ issue: async (documents, call) => (await sound.issue(documents, call)).toReversed() }),
  ],
  [
    "returns an outcome for the first document only",
    /one outcome for each document/,
    (sound) => ({ issue: async (documents, call) => (await sound.issue(documents, call)).slice(0, 1) }),
  ],
  [
    "sends everything twice",
    /has registered 6 documents, not 3/,
    (sound) => ({
      async issue(documents, call) {
        await sound.issue(documents, { ...call, evidence: await call.begin("issue", "operation") });
        return sound.issue(documents, call);
      },
    }),
  ],
  [
    "rewords a refusal",
    /the provider's message, unchanged/,
    changingIssue((outcome) =>
      outcome.kind === "rejected"
        ? { ...outcome, error: { ...outcome.error, provider_message: "refused" } }
        : outcome,
    ),
  ],
  [
    "reports refused credentials as a rejected document",
    /reports refused credentials/,
    changingIssue((outcome) =>
      outcome.kind === "credentials_refused" ? { ...outcome, kind: "rejected" } : outcome,
    ),
  ],
  [
    "reports a lost response as not_sent",
    /unknown after a connection closed before the response.*is not_sent, not unknown/s,
    changingIssue((outcome) => (outcome.kind === "unknown" ? { ...outcome, kind: "not_sent" } : outcome)),
  ],
  [
    "reports a closed port as a lost response",
    /if no connection can be made.*is unknown, not not_sent/s,
    changingIssue((outcome) =>
      outcome.kind === "not_sent" ? { kind: "unknown", error: outcome.error } : outcome,
    ),
  ],
  [
    "throws if no connection can be made",
    /issue threw, which the contract forbids/,
    (sound) => ({
      async issue(documents, call) {
        const outcomes = await sound.issue(documents, call);
        if (outcomes.some(({ kind }) => kind === "not_sent")) throw new Error("ECONNREFUSED");
        return outcomes;
      },
    }),
  ],
  [
    "puts a credential into an outcome",
    /the outcome of issue must not contain a credential/,
    changingIssue((outcome) =>
      outcome.kind === "issued"
        ? { ...outcome, qrUrl: `https://x.example/${REGISTRY_CREDENTIALS.user_id}` }
        : outcome,
    ),
  ],
  [
    "records no evidence",
    /requests reached the provider, but 0 are recorded/,
    (sound) => {
      const silent = { request: () => {}, response: () => {}, failed: () => {} };
      const quiet = { evidence: silent, evidenceOf: () => silent, begin: async () => silent };
      return { issue: (documents, call) => sound.issue(documents, { ...call, ...quiet }) };
    },
  ],
  [
    "records two exchanges on one recorder",
    /has its own recorder/,
    (sound) => ({
      async verify(call) {
        await sound.verify(call);
        return sound.verify(call);
      },
    }),
  ],
  [
    "looks up a document by sending it again",
    /the MARK of document 0 is the one that a lookup by identity finds/,
    (sound) => ({
      async reconcile(documents, call) {
        await sound.issue(documents, { ...call, evidence: await call.begin("issue", "operation") });
        return sound.reconcile(documents, call);
      },
    }),
  ],
  [
    "returns absent if the provider could not be reached",
    /if no connection can be made.*is absent, not not_sent or unknown/s,
    () => ({ reconcile: async (documents) => documents.map(() => ({ kind: "absent" })) }),
  ],
  [
    "needs what it had in memory before a restart",
    /finds the document when asked/,
    (sound) => {
      const known = new Set<string>();
      return {
        async issue(documents, call) {
          for (const { id } of documents) known.add(id);
          return sound.issue(documents, call);
        },
        reconcile: async (documents, call) =>
          documents.every(({ id }) => known.has(id))
            ? sound.reconcile(documents, call)
            : documents.map(() => ({ kind: "absent" })),
      };
    },
  ],
  ["does not verify credentials", /verify reports/, () => ({ verify: async () => ({ kind: "accepted" }) })],
  [
    "ignores the abort signal",
    /returns unknown for what was sent: issue took/,
    (sound) => ({
      issue(documents, call) {
        const late = new AbortController();
        call.signal.addEventListener("abort", () => setTimeout(() => late.abort(), 1_200));
        return sound.issue(documents, { ...call, signal: late.signal });
      },
    }),
  ],
  ["cancels though canCancel is false", /throws if canCancel is false/, () => ({ canCancel: false })],
];

describe.concurrent("an adapter that", () => {
  test.each(DEFECTS)("%s", async (_what, find, defect) => {
    expect((await findFailures(describeDefect(defect), find)).at(-1)).toMatch(find);
  });
});

describe("a description", () => {
  test("fails if it leaves out a network failure", async () => {
    const description = describeDefect(() => ({}), { cutsAfter: { cannotHappen: "never" } });
    expect(await findFailures(description)).toEqual([
      expect.stringContaining(
        "describes every scene: every scene is possible for an adapter with credentials",
      ),
    ]);
  });

  test("fails without a scene that registers", async () => {
    const description = describeDefect(() => ({}), { issues: { cannotHappen: "never" } });
    expect(await findFailures(description)).toEqual([
      expect.stringContaining("at least one of the scenes issues and accepts is possible"),
    ]);
  });

  test("fails if the fake throws while closing", async () => {
    const complaint = "The fake received something wrong";
    const { issues } = registryScenes();
    if (typeof issues !== "function") throw new Error("The registry has the scene issues");
    const complaining: Scenes["issues"] = async (clock) => {
      const scene = await issues(clock);
      return {
        ...scene,
        async close() {
          await scene.close();
          throw new Error(complaint);
        },
      };
    };
    const failed = await findFailures(describeDefect(() => ({}), { issues: complaining }));
    expect(failed.length).toBeGreaterThan(5);
    for (const failure of failed) expect(failure).toContain(complaint);
  });
});

test("a program that runs the cases without a test runner waits for an adapter that hangs", () => {
  const stage = new URL("../../src/providers/adapter-test/stage.ts", import.meta.url).href;
  const program = `
    import { withStage } from ${JSON.stringify(stage)};
    const description = { createAdapter: () => ({ numbering: "ours", issueBatchMax: 1 }) };
    const open = async () => ({ requests: async () => 0, close: async () => {} });
    await withStage(description, open, (stage) => stage.ask("issue", () => new Promise(() => {}), { msMax: 50 }));`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect(stderr).toContain("issue did not end within 50 ms");
  expect(status).toBe(1);
});
