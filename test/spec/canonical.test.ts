/** Tests the canonical document. */
import { describeChapter } from "./helpers/sections.ts";

describeChapter("canonical");
