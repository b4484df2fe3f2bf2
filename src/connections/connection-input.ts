/** What `createConnection` takes: a provider, and the credentials that its adapter asks for. */
import * as v from "valibot";
import type { Provider } from "../../storage/stored-values.ts";
import { type Problem, validationError } from "../foundation/errors.ts";
import { type CredentialsForm, credentialsSchema } from "../domain/credentials-form.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { ProviderRegistry } from "../domain/provider-adapter.ts";
import { characters, unpaddedCharacters } from "../foundation/field-schemas.ts";
import { checkWith } from "../foundation/validation.ts";

/** The providers that a merchant can be connected to; the sandbox needs no connection. */
export const CONNECTABLE_PROVIDERS = [
  "registry_direct",
  "provider_a",
  "provider_b",
  "provider_c",
  "provider_d",
  "provider_e",
] as const satisfies readonly Provider[];

const API_KEY = unpaddedCharacters(200);
const EMAIL = v.pipe(characters(1, 254), v.metadata({ jsonSchema: { format: "email" } }));

/** For the description of the API: the shapes of the specification, and that of providers whose adapter is a module. */
export const CreateConnectionSchema = v.union([
  v.strictObject({
    provider: v.literal("registry_direct"),
    credentials: v.strictObject({ user_id: characters(1, 100), subscription_key: characters(1, 200) }),
  }),
  v.strictObject({
    provider: v.literal("provider_a"),
    credentials: v.union([
      v.strictObject({ api_key: API_KEY, email: EMAIL }),
      v.strictObject({ api_key: API_KEY, provider_user_id: characters(1, 100) }),
    ]),
  }),
  v.strictObject({
    provider: v.picklist(["provider_b", "provider_c", "provider_d", "provider_e"]),
    credentials: v.record(v.string(), v.string()),
  }),
]);

const EnvelopeSchema = v.strictObject({
  provider: v.picklist(CONNECTABLE_PROVIDERS),
  credentials: v.looseObject({}),
});

export interface ConnectionInput {
  adapter: ProviderAdapter;
  credentials: Record<string, string>;
}

/** Throws `validation_failed` with every problem, or `not_supported` for a provider without an adapter. */
export function parseConnectionBody(providers: ProviderRegistry, body: unknown): ConnectionInput {
  const around = checkWith(EnvelopeSchema, body, "");
  if ("problems" in around) throw validationError(withoutStrangeKeys(around.problems, "", ENVELOPE_KEYS));
  const adapter = providers.get(around.output.provider);
  const checked = checkCredentials(adapter, around.output.credentials);
  if ("problems" in checked) throw validationError(checked.problems);
  return { adapter, credentials: checked.output };
}

/** The credentials as the adapter's form wants them, or what is wrong with them, under `credentials`. */
export function checkCredentials(
  adapter: ProviderAdapter,
  given: unknown,
): { output: Record<string, string> } | { problems: Problem[] } {
  const form: CredentialsForm = adapter.credentials ?? { fields: [] };
  const checked = checkWith(credentialsSchema(form), given, "credentials");
  if (!("problems" in checked)) return checked;
  const names = form.fields.map(({ name }) => name);
  return { problems: withoutStrangeKeys(checked.problems, "credentials", names) };
}

const ENVELOPE_KEYS = ["provider", "credentials"];

/** Whoever mistakes the place of a credential may write it as a key: only keys that we know are named in a message. */
function withoutStrangeKeys(
  problems: readonly Problem[],
  within: string,
  known: readonly string[],
): Problem[] {
  const inside = within === "" ? "" : `${within}.`;
  return problems.map(({ path, message }) => {
    const isKnown =
      path === within ||
      known.some(
        (key) =>
          path === inside + key || path.startsWith(`${inside}${key}.`) || path.startsWith(`${inside}${key}[`),
      );
    return { path: isKnown ? path : `${inside}(key)`, message };
  });
}
