/** A server whose registry_direct is a scripted provider that merchants can be connected to. */
import { expect } from "vitest";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { VerifyOutcome } from "../../src/domain/provider-adapter.ts";
import type { CredentialsForm } from "../../src/domain/credentials-form.ts";
import { REGISTRY_DIRECT } from "../../src/providers/registry-direct/description.ts";
import type { BenchOptions } from "./appliance.ts";
import { openServer, type Sent } from "./http.ts";
import { createScriptedProvider, type ScriptOptions } from "./scripted-provider.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

export const CONNECTION_FORM: CredentialsForm = {
  fields: [
    { name: "user_id", label: "User id", secret: true, required: true, lengthMax: 100 },
    { name: "subscription_key", label: "Subscription key", secret: true, required: true, lengthMax: 200 },
  ],
};

export const CREDENTIALS = { user_id: "user-of-the-shop", subscription_key: "key-of-the-shop" } as const;
export const CONNECT = { provider: "registry_direct", credentials: CREDENTIALS } as const;

export const REFUSED: VerifyOutcome = {
  kind: "refused",
  error: buildErrorObject("provider_credentials_invalid", sameInBoth("The registry refused the account"), {
    provider_code: "401",
    provider_message: "Access denied",
  }),
};
export const AWAY: VerifyOutcome = {
  kind: "unavailable",
  error: buildErrorObject("provider_unavailable", sameInBoth("The registry gave no answer")),
};

export async function openConnectingServer(
  options: BenchOptions = {},
  script: Pick<ScriptOptions, "fetchPdf"> = {},
) {
  const verified: (Readonly<Record<string, string>> | null)[] = [];
  let outcome: VerifyOutcome = { kind: "accepted" };
  const provider = createScriptedProvider({
    provider: "registry_direct",
    name: REGISTRY_DIRECT.name,
    credentials: { ...CONNECTION_FORM, guides: REGISTRY_DIRECT.credentials.guides! },
    verify: (credentials) => {
      verified.push(credentials);
      return outcome;
    },
    ...script,
  });
  const server = await openServer({ ...options, adapters: [provider.adapter] });
  return {
    ...server,
    provider,
    /** The credentials that the provider was asked about. */
    verified,
    /** Sets the outcome of verifying credentials from now on. */
    answer: (next: VerifyOutcome) => {
      outcome = next;
    },
    /** Connects the merchant and returns the connection's id. */
    async connect() {
      const { body } = await server.post(`/api/v1/merchants/${server.merchant}/connections`, CONNECT);
      return body.data.id;
    },
    /** A link with which the merchant can be connected, and the path of its page. */
    async makeLink(extra: object = {}, sent: Sent = {}) {
      const path = `/api/v1/merchants/${server.merchant}/connect_sessions`;
      const { status, body } = await server.request("POST", path, { body: extra, ...sent });
      expect(status).toBe(201);
      const { id, url }: Record<"id" | "url", string> = body.data;
      return { id, url, page: new URL(url).pathname };
    },
  };
}

export type ConnectingServer = Awaited<ReturnType<typeof openConnectingServer>>;
