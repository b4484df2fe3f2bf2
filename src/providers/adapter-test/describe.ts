/**
 * `fiscal/adapter-test`: the conformance suite of adapters. It returns named cases that any test runner can run. Its
 * clock never advances, and it talks only to the author's fakes.
 */
import assert from "node:assert/strict";
import { type CannotHappen, SCENE_NAMES, type SceneName, type Scenes } from "./scenes.ts";
import { type AdapterDescription, withStage } from "./stage.ts";
import { TRIALS } from "./trials.ts";

export type { CannotHappen, RefusingScene, Scene, SceneClock, SceneName, Scenes } from "./scenes.ts";
export type { AdapterDescription } from "./stage.ts";
export type { AdapterHost } from "../contract.ts";
export { nobodyListens } from "./scenes.ts";

export interface AdapterCase {
  name: string;
  /** Rejects with an AssertionError, or with the error of the fake. */
  run(): Promise<void>;
}

/** The cases of the adapter. Cases of impossible scenes are left out, and one more case checks that they may be. */
export function describeAdapter(description: AdapterDescription): AdapterCase[] {
  const { name, scenes } = description;
  const registering = isLeftOut(scenes.issues) ? scenes.accepts : scenes.issues;
  const cases = TRIALS.flatMap((trial): AdapterCase[] => {
    const open = trial.scene === "registering" ? registering : scenes[trial.scene];
    if (isLeftOut(open)) return [];
    return [{ name: `${name}: ${trial.name}`, run: () => withStage(description, open, trial.run) }];
  });
  const completeness = {
    name: `${name}: describes every scene`,
    run: async () => assertComplete(description),
  };
  return [completeness, ...cases];
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
