/** Tests the endpoints, the statuses that they lead to, and their events. */
import { describeSections } from "./helpers/sections.ts";

describeSections({
  "endpoints-connections": () => import("./operations/endpoints-connections.ts"),
  "endpoints-documents": () => import("./operations/endpoints-documents.ts"),
  events: () => import("./operations/events.ts"),
  states: () => import("./operations/states.ts"),
});
