/** Tests the rules for every request. */
import { describeSections } from "./helpers/sections.ts";

describeSections("wire");
