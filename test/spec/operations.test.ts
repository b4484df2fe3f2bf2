/** Tests the endpoints, the statuses that they lead to, and their events. */
import { describeSections } from "./helpers/sections.ts";

describeSections("operations");
