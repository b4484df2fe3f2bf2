/** What a merchant connects to the registry with (spec, POST connections). */
import type { CredentialsForm } from "../../domain/credentials-form.ts";

/** Both travel in headers. The user id is a credential as well (decisions 16). */
export const CREDENTIALS_FORM = {
  fields: [
    {
      name: "user_id",
      label: "User id of the REST API",
      secret: true,
      required: true,
      lengthMax: 100,
      ascii: true,
      help: "The user name registered for the REST API in the authority's portal; test and production have users of their own.",
    },
    {
      name: "subscription_key",
      label: "Subscription key",
      secret: true,
      required: true,
      lengthMax: 200,
      ascii: true,
      help: "The key that the authority shows for this user; the keys of test and production are not the same.",
    },
  ],
} as const satisfies CredentialsForm;
