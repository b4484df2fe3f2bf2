/** One thing that the suite proves, and the scene that it takes. */
import type { RefusingScene, Scene, SceneName } from "./scenes.ts";
import type { Stage, StageOptions } from "./stage.ts";

export type Trial =
  | {
      name: string;
      /** `registering` is whichever of `issues` and `accepts` there is. */
      scene: Exclude<SceneName, "rejects"> | "registering";
      run(stage: Stage<Scene>, options: StageOptions): Promise<void>;
    }
  | { name: string; scene: "rejects"; run(stage: Stage<RefusingScene>): Promise<void> };
