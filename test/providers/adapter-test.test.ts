/** The suite finds out adapters that break the contract: each defect is one that an author might well build in. */
import { describe, expect, test } from "vitest";
import type { IssueOutcome, ProviderAdapter } from "../../src/domain/provider-adapter.ts";
import {
  type AdapterDescription,
  describeAdapter,
  type Scenes,
} from "../../src/providers/adapter-test/describe.ts";
import { createRegistryDirect } from "../../src/providers/registry-direct/adapter.ts";
import { REGISTRY_CREDENTIALS, registryScenes } from "../helpers/conformance/registry-scenes.ts";

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

/** The names of the cases that fail, each with the first line of why; up to the first that `last` fits. */
async function failures(description: AdapterDescription, last = /^$/): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of describeAdapter(description)) {
    await run().catch((error: Error) => failed.push(`${name}: ${error.message.split("\n")[0]}`));
    if (last.test(failed.at(-1) ?? "none")) break;
  }
  return failed;
}

/** The outcome of the send, as the defect makes it of what it was. */
const changingIssue =
  (change: (outcome: IssueOutcome) => IssueOutcome): Defect =>
  (sound) => ({
    issue: async (documents, call) => (await sound.issue(documents, call)).map(change),
  });

const DEFECTS: readonly [defect: string, find: RegExp, defect: Defect][] = [
  ["has not every method", /has every member/, () => ({ fetchPdf: undefined as never })],
  ["says that it is another provider", /has every member/, () => ({ provider: "provider_b" })],
  [
    "has a form that its credentials do not fit",
    /takes the credentials of the test/,
    () => ({
      credentials: {
        fields: [{ name: "token", label: "Token", secret: true, required: true, lengthMax: 9 }],
      },
    }),
  ],
  [
    "builds another payload each time",
    /built twice/,
    () => {
      let built = 0;
      return { buildPayload: () => ({ built: (built += 1) }) };
    },
  ],
  [
    "builds another payload in another process",
    /another process/,
    () => {
      const process = Symbol("process").toString() + Math.random();
      return { buildPayload: () => ({ process }) };
    },
  ],
  [
    "changes the document that it builds a payload of",
    /builds the same payload.*read only|builds the same payload.*not extensible/s,
    (sound) => ({
      buildPayload(document) {
        document.series = "B";
        return sound.buildPayload(document);
      },
    }),
  ],
  [
    "shows a credential in the payload",
    /the payload shows a credential/,
    () => ({ buildPayload: () => ({ key: REGISTRY_CREDENTIALS.subscription_key }) }),
  ],
  [
    "finds a right document wrong",
    /finds no problem/,
    () => ({
      check: () => ({ problems: [{ path: "lines", message: "no" }], warnings: [], code: "not_supported" }),
    }),
  ],
  [
    "answers in another order",
    /is the one that asking by identity finds/,
    (sound) => ({ issue: async (documents, call) => (await sound.issue(documents, call)).toReversed() }),
  ],
  [
    "answers for the first document only",
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
    "puts a refusal into words of its own",
    /the provider's message, verbatim/,
    changingIssue((outcome) =>
      outcome.kind === "rejected"
        ? { ...outcome, error: { ...outcome.error, provider_message: "refused" } }
        : outcome,
    ),
  ],
  [
    "takes a refused account for a refused document",
    /tells a refused account/,
    changingIssue((outcome) =>
      outcome.kind === "credentials_refused" ? { ...outcome, kind: "rejected" } : outcome,
    ),
  ],
  [
    "takes a lost answer for one that was not sent",
    /unknown after a connection that ended before the answer.*not_sent, and not unknown/s,
    changingIssue((outcome) => (outcome.kind === "unknown" ? { ...outcome, kind: "not_sent" } : outcome)),
  ],
  [
    "takes a closed port for a lost answer",
    /where no connection can be made.*unknown, and not not_sent/s,
    changingIssue((outcome) =>
      outcome.kind === "not_sent" ? { kind: "unknown", error: outcome.error } : outcome,
    ),
  ],
  [
    "throws where no connection can be made",
    /issue threw, and may not/,
    (sound) => ({
      async issue(documents, call) {
        const outcomes = await sound.issue(documents, call);
        if (outcomes.some(({ kind }) => kind === "not_sent")) throw new Error("ECONNREFUSED");
        return outcomes;
      },
    }),
  ],
  [
    "shows a credential in an outcome",
    /the answer of issue shows a credential/,
    changingIssue((outcome) =>
      outcome.kind === "issued"
        ? { ...outcome, qrUrl: `https://x.example/${REGISTRY_CREDENTIALS.user_id}` }
        : outcome,
    ),
  ],
  [
    "keeps no evidence",
    /requests reached the provider, 0 are on record/,
    (sound) => {
      const silent = { request: () => {}, response: () => {}, failed: () => {} };
      const quiet = { evidence: silent, evidenceOf: () => silent, begin: async () => silent };
      return { issue: (documents, call) => sound.issue(documents, { ...call, ...quiet }) };
    },
  ],
  [
    "records two exchanges on one recorder",
    /a recorder of its own/,
    (sound) => ({
      async verify(call) {
        await sound.verify(call);
        return sound.verify(call);
      },
    }),
  ],
  [
    "asks by sending again",
    /has registered 6 documents, not 3/,
    (sound) => ({
      async reconcile(documents, call) {
        await sound.issue(documents, { ...call, evidence: await call.begin("issue", "operation") });
        return sound.reconcile(documents, call);
      },
    }),
  ],
  [
    "says absent where nobody could be asked",
    /where no connection can be made.*absent, and not not_sent or unknown/s,
    () => ({ reconcile: async (documents) => documents.map(() => ({ kind: "absent" })) }),
  ],
  [
    "remembers what only this process knows",
    /finds the document when it is asked/,
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
  ["verifies no credentials", /verify says/, () => ({ verify: async () => ({ kind: "accepted" }) })],
  [
    "does not hear that the program must end",
    /says unknown of what was sent: issue took/,
    (sound) => ({
      issue: (documents, call) => sound.issue(documents, { ...call, signal: AbortSignal.timeout(1_200) }),
    }),
  ],
  ["cancels where it says that it cannot", /throws where it is told to/, () => ({ canCancel: false })],
];

describe.concurrent("an adapter that", () => {
  test.each(DEFECTS)("%s", async (_what, find, defect) => {
    expect((await failures(describeDefect(defect), find)).at(-1)).toMatch(find);
  });
});

describe("a description that", () => {
  test("leaves out what a network does fails", async () => {
    const description = describeDefect(() => ({}), { cutsAfter: { cannotHappen: "never" } });
    expect(await failures(description)).toEqual([
      expect.stringContaining("is shown every situation: an adapter with credentials meets every situation"),
    ]);
  });

  test("has nothing that registers fails", async () => {
    const description = describeDefect(() => ({}), { issues: { cannotHappen: "never" } });
    expect(await failures(description)).toEqual([
      expect.stringContaining("one of the scenes issues and accepts is there"),
    ]);
  });

  test("whose fake complains as it closes fails", async () => {
    const complaint = "The fake did not like it";
    const { issues } = registryScenes();
    if (typeof issues !== "function") throw new Error("The registry issues");
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
    const failed = await failures(describeDefect(() => ({}), { issues: complaining }));
    expect(failed.length).toBeGreaterThan(5);
    for (const failure of failed) expect(failure).toContain(complaint);
  });
});
