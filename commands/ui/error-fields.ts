/** An error object as fields. */
import type { ErrorObject } from "../../src/foundation/errors.ts";
import { textOfError } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { Field } from "./table.ts";

/** Nothing if `error` is null. */
export function errorFields(
  error: Omit<ErrorObject, "retryable"> | null,
  name: Text = { en: "error", el: "σφάλμα" },
): Field[] {
  if (error === null) return [];
  return [
    [name, joinTexts([sameInBoth(error.code), textOfError(error)], ": ")],
    [{ en: "provider code", el: "κωδικός παρόχου" }, error.provider_code],
    [{ en: "provider message", el: "μήνυμα παρόχου" }, error.provider_message],
  ];
}
