/** How people see whether a merchant is ready for live mode. */
import type { ChecklistItem } from "../upkeep/live-checklist.ts";
import type { Column } from "./view.ts";
import { yesOrNo } from "./words.ts";

export { checkLiveReadiness } from "../upkeep/live-checklist.ts";

export const CHECKLIST_COLUMNS: readonly Column<ChecklistItem>[] = [
  { head: { en: "ready", el: "έτοιμο" }, isStatus: true, value: ({ ok }) => yesOrNo(ok) },
  { head: { en: "what", el: "τι" }, value: ({ what }) => what, wraps: true },
];
