/** A property that the adapter suite checks, with the scene it needs. */
import type { RefusingScene, Scene, SceneName } from "./scenes.ts";
import type { Stage, StageOptions } from "./stage.ts";

export type Trial =
  | {
      name: string;
      /** `registering` means `issues` or, if the provider does not have that scene, `accepts`. */
      scene: Exclude<SceneName, "rejects"> | "registering";
      run(stage: Stage<Scene>, options: StageOptions): Promise<void>;
    }
  | { name: string; scene: "rejects"; run(stage: Stage<RefusingScene>): Promise<void> };
