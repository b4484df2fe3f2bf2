/** What a merchant connects to the provider with (spec, POST connections). */
import type { CredentialsForm } from "../../domain/credentials-form.ts";

export const CREDENTIALS_FORM = {
  fields: [
    {
      name: "api_key",
      label: "API key",
      secret: true,
      required: true,
      lengthMax: 200,
      unpadded: true,
      help: "In the provider's settings; the test environment has keys of its own.",
    },
    {
      name: "provider_user_id",
      label: "User id at the provider",
      secret: false,
      required: false,
      lengthMax: 100,
      help: "Preferred to the email address, because it never changes.",
    },
    {
      name: "email",
      label: "Email address of the login",
      secret: false,
      required: false,
      lengthMax: 254,
      format: "email",
      help: "The connection breaks when this address is changed at the provider.",
    },
  ],
  exactlyOneOf: ["email", "provider_user_id"],
} as const satisfies CredentialsForm;

/** The body of the login. Throws where the credentials are not of the form: they were checked before they were stored. */
export function buildLogin(credentials: Readonly<Record<string, string>> | null): Record<string, string> {
  const { api_key: apiKey, email, provider_user_id: userId } = credentials ?? {};
  if (apiKey === undefined || (email === undefined) === (userId === undefined)) {
    throw new Error("The credentials of a connection to provider_a are not of its form");
  }
  return { api_key: apiKey, ...(email === undefined ? { wrapp_user_id: userId! } : { email }) };
}
