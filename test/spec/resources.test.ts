/** Tests the resources and their fields. */
import { describeSections } from "./helpers/sections.ts";

describeSections("resources");
