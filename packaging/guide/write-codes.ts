/** Writes the guide's pages of the authority's error codes: `npm run guide:codes`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCodesPage } from "./render-codes.ts";

const guide = join(import.meta.dirname, "../../docs/guide");
writeFileSync(join(guide, "codes.md"), renderCodesPage("el"));
writeFileSync(join(guide, "en/codes.md"), renderCodesPage("en"));
