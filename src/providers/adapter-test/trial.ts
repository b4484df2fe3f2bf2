/** One property that the suite checks, and the scene it needs. */
import type { RefusingScene, Scene, SceneName } from "./scenes.ts";
import type { Stage, StageOptions } from "./stage.ts";

export type Trial =
  | {
      name: string;
      /** `registering` is whichever of `issues` and `accepts` exists. */
      scene: Exclude<SceneName, "rejects"> | "registering";
      run(stage: Stage<Scene>, options: StageOptions): Promise<void>;
    }
  | { name: string; scene: "rejects"; run(stage: Stage<RefusingScene>): Promise<void> };
