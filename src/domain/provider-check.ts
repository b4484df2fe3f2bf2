/** Asks the provider's adapter about a document before it is accepted. */
import { AppError, validationError } from "../foundation/errors.ts";
import { type Text, toText } from "../foundation/text.ts";
import type { CanonicalDocument } from "./canonical-document.ts";
import { sentType } from "./classification.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";

/**
 * Returns the provider's warnings. Throws `validation_failed` or `not_supported` for what the provider would certainly reject;
 * `prefix` goes before the paths: `document`, or empty when the document is the whole body.
 */
export function askAdapter(
  adapter: ProviderAdapter,
  document: CanonicalDocument,
  options: { today: string; prefix: string; vatPaymentSuspension: boolean },
): Text[] {
  const { today, vatPaymentSuspension } = options;
  const check = adapter.check?.(document, { sentType: sentType(document), today, vatPaymentSuspension });
  if (check === undefined) return [];
  if (check.problems.length === 0) return check.warnings.map(toText);
  const problems = check.problems.map(({ path, message }) => ({
    path: options.prefix === "" ? path : `${options.prefix}.${path}`,
    message: toText(message),
  }));
  const failure = validationError(problems);
  throw check.code === failure.code ? failure : new AppError(check.code, failure.text);
}
