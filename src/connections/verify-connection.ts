/** Asks a provider whether it accepts a merchant's credentials. */
import { providerName } from "../domain/code-words.ts";
import type { Context } from "../journal/context.ts";
import { AppError, buildErrorObject } from "../foundation/errors.ts";
import type { CallSubject } from "../issuing/call-evidence.ts";
import type { Verdict } from "../issuing/connection-verdict.ts";
import { callOnce } from "../issuing/single-call.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";

/** The API's code for refused credentials, whatever the adapter returns. */
const REFUSED_CODE = "provider_credentials_invalid";

/** Throws `service_unavailable` if the provider does not answer, so nothing is known about the credentials. */
export async function askProvider(
  context: Context,
  adapter: ProviderAdapter,
  subject: Omit<CallSubject, "provider" | "documentId">,
  credentials: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const about = { ...subject, provider: adapter.provider, documentId: null };
  const { outcome, callIds } = await callOnce(context, about, credentials, "verify", (call) =>
    adapter.verify(call),
  );
  if (outcome.kind === "unavailable") {
    throw new AppError("service_unavailable", {
      en: `The provider ${providerName(adapter.provider)} did not answer about the credentials; nothing was changed, try again later`,
      el: `Ο πάροχος ${providerName(adapter.provider)} δεν απάντησε για τα διαπιστευτήρια· δεν άλλαξε τίποτα, δοκιμάστε ξανά αργότερα`,
    });
  }
  const refusal =
    outcome.kind === "refused" ? { ...outcome.error, code: REFUSED_CODE as typeof REFUSED_CODE } : null;
  return { refusal, callIds };
}

/** The verdict on credentials that cannot be decrypted. */
export function unreadableCredentials(): Verdict {
  const message = {
    en: "The credentials of this connection are gone or cannot be read; disconnect it and connect the merchant again",
    el: "Τα διαπιστευτήρια αυτής της σύνδεσης λείπουν ή δεν διαβάζονται· αποσυνδέστε την και συνδέστε ξανά την επιχείρηση",
  };
  return { refusal: buildErrorObject(REFUSED_CODE, message), callIds: [] };
}
