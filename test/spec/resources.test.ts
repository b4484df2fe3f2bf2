/** Tests the resources and their fields. */
import { describeChapter } from "./helpers/sections.ts";

describeChapter("resources");
