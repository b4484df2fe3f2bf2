/** Tests the endpoints, the statuses that they lead to, and their events. */
import { describeChapter } from "./helpers/sections.ts";

describeChapter("operations");
