/** Tests the rules for every request. */
import { describeSections } from "./helpers/sections.ts";

describeSections({
  errors: () => import("./wire/errors.ts"),
  "every-operation": () => import("./wire/every-operation.ts"),
  idempotency: () => import("./wire/idempotency.ts"),
  identifiers: () => import("./wire/identifiers.ts"),
  "limits-of-requests": () => import("./wire/limits-of-requests.ts"),
  "request-id": () => import("./wire/request-id.ts"),
});
