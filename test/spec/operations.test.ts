/** Tests the endpoints, the statuses that they lead to, and their events. */
import { describeSections } from "./helpers/sections.ts";

describeSections({
  "endpoints-connections": () => import("./operations/endpoints-connections.ts"),
  "endpoints-documents": () => import("./operations/endpoints-documents.ts"),
  "endpoints-events": () => import("./operations/endpoints-events.ts"),
  "endpoints-logs": () => import("./operations/endpoints-logs.ts"),
  events: () => import("./operations/events.ts"),
  states: () => import("./operations/states.ts"),
});
