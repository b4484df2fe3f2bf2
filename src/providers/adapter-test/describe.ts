/**
 * `fiscal/adapter-test`: the conformance suite of adapters. It returns named cases that any test runner can run. Its
 * clock never advances, and it talks only to the author's fakes.
 */
import assert from "node:assert/strict";
import type { ProviderAdapter } from "../../domain/provider-adapter.ts";
import type { AdapterHost } from "../contract.ts";
import { ANSWER_TRIALS } from "./answer-trials.ts";
import { FORM_TRIALS } from "./form-trials.ts";
import {
  type CannotHappen,
  nobodyListens,
  type Scene,
  SCENE_NAMES,
  type SceneName,
  type Scenes,
} from "./scenes.ts";
import { type StageOptions, withStage, type Trial } from "./stage.ts";
import { TROUBLE_TRIALS } from "./trouble-trials.ts";

export type { CannotHappen, RefusingScene, Scene, SceneClock, SceneName, Scenes } from "./scenes.ts";
export type { AdapterHost } from "../contract.ts";
export { nobodyListens };

export interface AdapterDescription {
  /** Prefix of the name of each case. */
  name: string;
  /** The provider that the adapter is created for; provider_b by default. */
  provider?: AdapterHost["provider"];
  /**
   * Credentials that fit its form and are right in every scene except `refusesCredentials`; null for an adapter
   * without a form.
   */
  credentials: Readonly<Record<string, string>> | null;
  /** Creates the adapter as its module does, with the address of the scene. */
  createAdapter(host: AdapterHost, scene: Scene): ProviderAdapter | Promise<ProviderAdapter>;
  scenes: Scenes;
}

export interface AdapterCase {
  name: string;
  /** Rejects with an AssertionError, or with the error of the fake. */
  run(): Promise<void>;
}

/** The cases of the adapter. Cases of impossible scenes are left out, and one more case checks that they may be. */
export function describeAdapter(description: AdapterDescription): AdapterCase[] {
  const { name, scenes, credentials, createAdapter } = description;
  const options: StageOptions = {
    provider: description.provider ?? "provider_b",
    credentials,
    createAdapter: (host, scene) => createAdapter(host, scene),
  };
  const trials = [...FORM_TRIALS, ...ANSWER_TRIALS, ...TROUBLE_TRIALS];
  const cases = trials.flatMap((trial): AdapterCase[] => {
    const run = runOf(trial, scenes, options);
    return run === undefined ? [] : [{ name: `${name}: ${trial.name}`, run }];
  });
  const completeness = {
    name: `${name}: describes every scene`,
    run: async () => assertComplete(description),
  };
  return [completeness, ...cases];
}

/** Undefined if the trial's scene is impossible. */
function runOf(trial: Trial, scenes: Scenes, options: StageOptions): (() => Promise<void>) | undefined {
  if (trial.scene === "rejects") {
    const open = scenes.rejects;
    return isLeftOut(open) ? undefined : () => withStage(options, open, (stage) => trial.run(stage));
  }
  const open = trial.scene === "registering" ? registering(scenes) : scenes[trial.scene];
  if (isLeftOut(open)) return undefined;
  return () => withStage(options, open, (stage) => trial.run(stage, options));
}

function registering(scenes: Scenes): Scenes["issues"] {
  return isLeftOut(scenes.issues) ? scenes.accepts : scenes.issues;
}

function isLeftOut(open: Scenes[SceneName]): open is CannotHappen {
  return typeof open !== "function";
}

/** Only one of these two is required, because not every provider answers both ways. */
const EITHER: readonly SceneName[] = ["issues", "accepts"];

/** Every adapter that uses a network meets all scenes. One without credentials runs inside the process. */
function assertComplete({ scenes, credentials }: AdapterDescription): void {
  const leftOut: SceneName[] = SCENE_NAMES.filter((scene) => isLeftOut(scenes[scene]));
  assert.ok(
    EITHER.some((scene) => !leftOut.includes(scene)),
    `at least one of the scenes ${EITHER.join(" and ")} is possible`,
  );
  assert.ok(!leftOut.includes("rejects"), "the scene rejects is possible");
  const missing = leftOut.filter((scene) => !EITHER.includes(scene));
  assert.deepEqual(
    credentials === null ? [] : missing,
    [],
    "every scene is possible for an adapter with credentials",
  );
}
