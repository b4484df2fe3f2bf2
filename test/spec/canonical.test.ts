/** Tests the canonical document. */
import { describeSections } from "./helpers/sections.ts";

describeSections("canonical");
