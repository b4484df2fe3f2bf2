/** What the document's provider says of it before it is accepted. Pure. */
import { AppError, validationError } from "../foundation/errors.ts";
import type { ProviderAdapter } from "./provider-adapter.ts";
import type { CanonicalDocument } from "./canonical-document.ts";
import { sentType } from "./classification.ts";

/**
 * The provider's warnings about the document. Throws `validation_failed` or `not_supported` for what it certainly refuses;
 * `prefix` stands before the paths: `document`, or empty where the document is the whole body.
 */
export function askAdapter(
  adapter: ProviderAdapter,
  document: CanonicalDocument,
  options: { today: string; prefix: string },
): readonly string[] {
  const check = adapter.check?.(document, { sentType: sentType(document), today: options.today });
  if (check === undefined) return [];
  if (check.problems.length === 0) return check.warnings;
  const problems = check.problems.map(({ path, message }) => ({
    path: options.prefix === "" ? path : `${options.prefix}.${path}`,
    message,
  }));
  const failure = validationError(problems);
  throw check.code === failure.code ? failure : new AppError(check.code, failure.message);
}
