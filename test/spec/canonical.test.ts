/** Tests the canonical document. */
import { describeSections } from "./helpers/sections.ts";

describeSections({
  "canonical-document": () => import("./canonical/canonical-document.ts"),
  line: () => import("./canonical/line.ts"),
  party: () => import("./canonical/party.ts"),
  "payments-totals": () => import("./canonical/payments-totals.ts"),
});
