/** Tests the rules for every request. */
import { describeChapter } from "./helpers/sections.ts";

describeChapter("wire");
