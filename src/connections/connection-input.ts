/** Reads the body of `createConnection`, a provider and the credentials of its form, and asks the provider whether it accepts them. */
import * as v from "valibot";
import type { Provider } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import { type Problem, validationError, AppError } from "../foundation/errors.ts";
import { checkAgainstForm, type CredentialsForm, describeCredentials } from "../domain/credentials-form.ts";
import type { ProviderAdapter, ProviderRegistry } from "../domain/provider-adapter.ts";
import { checkWith } from "../foundation/validation.ts";
import { BUILT_IN_PROVIDERS, CONNECTABLE_PROVIDERS, EXTERNAL_PROVIDERS } from "../providers/built-in.ts";
import { providerName } from "../domain/document-codes.ts";
import { hasNoAdapter } from "../domain/routing.ts";
import type { Context } from "../journal/context.ts";
import type { CallSubject } from "../issuing/call-evidence.ts";
import type { Verdict } from "../issuing/connection-status.ts";
import { callOnce } from "../issuing/provider-call.ts";

/** For the API description: a shape for each built-in provider, and one for those whose adapter is a module. */
export const CreateConnectionSchema = component(
  "CreateConnection",
  "A provider, and the merchant's credentials there.",
  v.union([
    ...BUILT_IN_PROVIDERS.flatMap(({ description: { provider, credentials } }) =>
      credentials === null
        ? []
        : [
            v.strictObject({
              provider: described(v.literal(provider), `Always \`${provider}\`.`),
              credentials: described(
                describeCredentials(credentials),
                "The merchant's credentials. They are encrypted, never returned and never logged.",
              ),
            }),
          ],
    ),
    v.strictObject({
      provider: described(v.picklist(EXTERNAL_PROVIDERS), "A provider whose adapter is a module."),
      credentials: described(
        v.record(v.string(), v.string()),
        "The credentials that the module asks for. They are encrypted, never returned and never logged.",
      ),
    }),
  ]),
);

const EnvelopeSchema = v.strictObject({
  provider: v.picklist(CONNECTABLE_PROVIDERS),
  credentials: v.looseObject({}),
});

export interface ConnectionInput {
  adapter: ProviderAdapter;
  credentials: Record<string, string>;
}

/** Throws `validation_failed` with every problem. */
export function parseConnectionBody(providers: ProviderRegistry, body: unknown): ConnectionInput {
  const envelope = checkWith(EnvelopeSchema, body, "");
  if ("problems" in envelope) throw validationError(hideUnknownKeys(envelope.problems, "", ENVELOPE_KEYS));
  const adapter = requireAdapter(providers, envelope.output.provider);
  const checked = checkCredentials(adapter, envelope.output.credentials);
  if ("problems" in checked) throw validationError(checked.problems);
  return { adapter, credentials: checked.output };
}

/** The adapter that a merchant is to be connected through. Throws `validation_failed` that names `provider` if there is none. */
export function requireAdapter(providers: ProviderRegistry, provider: Provider): ProviderAdapter {
  const adapter = providers.find(provider);
  if (adapter !== undefined) return adapter;
  throw validationError([{ path: "provider", message: hasNoAdapter(provider).text }]);
}

/** The credentials as the adapter's form requires them, or their problems, with paths below `credentials`. */
export function checkCredentials(
  adapter: ProviderAdapter,
  given: unknown,
): { output: Record<string, string> } | { problems: Problem[] } {
  const form: CredentialsForm = adapter.credentials ?? { fields: [] };
  const checked = checkAgainstForm(form, given);
  if (!("problems" in checked)) return checked;
  const names = form.fields.map(({ name }) => name);
  return { problems: hideUnknownKeys(checked.problems, "credentials", names) };
}

const ENVELOPE_KEYS = ["provider", "credentials"];

/** Replaces unknown keys in paths by `(key)`: someone may have written a credential where its name belongs. */
function hideUnknownKeys(problems: readonly Problem[], parent: string, known: readonly string[]): Problem[] {
  const prefix = parent === "" ? "" : `${parent}.`;
  return problems.map(({ path, message }) => {
    const [key = ""] = path.slice(prefix.length).split(/[.[]/);
    return { path: path === parent || known.includes(key) ? path : `${prefix}(key)`, message };
  });
}

/** The API's code for refused credentials, whatever the adapter returns. */
const REFUSED_CODE = "provider_credentials_invalid";

/** Throws `service_unavailable` if the provider does not answer, so nothing is known about the credentials. */
export async function askProvider(
  context: Context,
  adapter: ProviderAdapter,
  subject: Omit<CallSubject, "provider" | "document_id">,
  credentials: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const about = { ...subject, provider: adapter.provider, document_id: null };
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
