/** Tests the resources and their fields. */
import { describeSections } from "./helpers/sections.ts";

describeSections({
  "api-request": () => import("./resources/api-request.ts"),
  classification: () => import("./resources/classification.ts"),
  connection: () => import("./resources/connection.ts"),
  document: () => import("./resources/document.ts"),
  "error-object": () => import("./resources/error-object.ts"),
  event: () => import("./resources/event.ts"),
  merchant: () => import("./resources/merchant.ts"),
  "provider-call": () => import("./resources/provider-call.ts"),
  "tax-id-lookup": () => import("./resources/tax-id-lookup.ts"),
});
