/** What the verbs of `fiscal connections` do. */
import type { ConnectionObject } from "../../src/issuing/connection-object.ts";
import type { Context, Created, IdempotencyClaim } from "../../src/journal/context.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { printConnection, tellRefusal, CONNECTION_COLUMNS } from "./connection-view.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { type CredentialOptions, gatherCredentials } from "./credentials.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { tell, write } from "../io.ts";
import { type ListOptions, runList as runPagedList } from "../lists.ts";
import { chooseMerchant } from "../merchants/choose-merchant.ts";
import { merchantIdOf, merchantNamed } from "../merchants/find-merchant.ts";
import { printJson } from "../ui/json.ts";
import { askWhich, confirmed } from "../ui/prompt.ts";

export interface AddOptions extends CredentialOptions {
  merchant?: string;
  provider?: Provider;
  idempotencyKey?: string;
}

export interface ConnectionListOptions extends ListOptions {
  merchant?: string;
}

export interface LinkOptions {
  merchant?: string;
  provider?: Provider;
  returnUrl?: string;
}

/** spec, Idempotency: printable ASCII. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export async function runAdd(context: CommandContext, options: AddOptions): Promise<ExitCode> {
  const { io } = context;
  if (options.idempotencyKey !== undefined && !KEY_FORM.test(options.idempotencyKey))
    throw new UsageError("--idempotency-key takes 1 to 255 printable ASCII characters without spaces");
  const name = await chooseMerchant(context, options.merchant);
  const created = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, name);
    const provider = options.provider ?? (await askForProvider(context, appliance));
    const form = appliance.providers.get(provider).credentials ?? { fields: [] };
    const credentials = await gatherCredentials(io, form, options);
    return create(appliance, mode, id, { provider, credentials }, options.idempotencyKey);
  });
  const connection = JSON.parse(created.json) as ConnectionObject;
  if (created.replayed)
    await tell(io, "It was made under this idempotency key before; this is what was answered then.");
  return present(context, connection);
}

/** Of those that this appliance has an adapter for and that take credentials. */
function askForProvider(context: CommandContext, appliance: Context): Promise<Provider> {
  const providers = appliance.providers.all().filter(({ credentials }) => credentials !== null);
  if (providers.length === 0) throw new UsageError("--provider is missing");
  const choices = providers.map(({ provider }) => ({ value: provider, name: provider }));
  return askWhich(context.io, choices, { flag: "--provider", message: "Provider" });
}

/** The claim is that of the API's operation: the same request there and here is made once. */
async function create(
  appliance: Context,
  mode: Mode,
  merchantId: string,
  body: { provider: Provider; credentials: Record<string, string> },
  key: string | undefined,
): Promise<Created> {
  const { createConnection } = await import("../../src/connections/connections.ts");
  const { fingerprint } = await import("../../src/journal/idempotency.ts");
  const claim: IdempotencyClaim | undefined =
    key === undefined
      ? undefined
      : { operation: "createConnection", key, fingerprint: fingerprint({ id: merchantId }, body) };
  return createConnection(appliance, merchantId, body, causeOf(mode, key ?? null), claim);
}

/** Prints the connection; one that the provider refuses ends the command with 4. */
async function present(context: CommandContext, connection: ConnectionObject): Promise<ExitCode> {
  await printConnection(context, connection);
  if (connection.status !== "invalid") return EXIT.done;
  await tellRefusal(context.io, connection);
  return EXIT.refused;
}

export async function runList(context: CommandContext, options: ConnectionListOptions): Promise<void> {
  const { listConnections } = await import("../../src/connections/connections.ts");
  await context.withAppliance(async (appliance, mode) => {
    const merchantId = await merchantIdOf(appliance, options.merchant);
    await runPagedList(context, options, {
      plural: "connections",
      columns: CONNECTION_COLUMNS,
      fetch: (page) => listConnections(appliance, mode, merchantId, page),
    });
  });
}

export async function runShow(context: CommandContext, id: string): Promise<void> {
  const { getConnection } = await import("../../src/connections/connections.ts");
  await printConnection(
    context,
    await context.withAppliance((appliance, mode) => getConnection(appliance, mode, id)),
  );
}

export async function runVerify(context: CommandContext, id: string): Promise<ExitCode> {
  const { verifyConnection } = await import("../../src/connections/connections.ts");
  const connection = await context.withAppliance((appliance, mode) =>
    verifyConnection(appliance, id, causeOf(mode)),
  );
  return present(context, connection);
}

export async function runDisconnect(
  context: CommandContext,
  id: string,
  yes: boolean | undefined,
): Promise<ExitCode> {
  const { io } = context;
  const { disconnectConnection, getConnection } = await import("../../src/connections/connections.ts");
  const connection = await context.withAppliance(async (appliance, mode) => {
    const known = await getConnection(appliance, mode, id);
    const pending = yes === true ? "" : await describePending(appliance, known);
    const isSure = await confirmed(io, yes, `Disconnect this connection to ${known.provider}?${pending}`);
    return isSure ? disconnectConnection(appliance, id, causeOf(mode)) : undefined;
  });
  if (connection === undefined) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  await printConnection(context, connection);
  return EXIT.done;
}

/** As many are counted; of more it is said that they are more. */
const PENDING_MAX = 100;

/** A sentence about the merchant's documents that are on their way to the provider; empty when there are none. */
async function describePending(appliance: Context, connection: ConnectionObject): Promise<string> {
  const { listDocuments } = await import("../../src/documents/list-documents.ts");
  const { merchant, provider, mode } = connection;
  const { data, has_more: hasMore } = await listDocuments(appliance, mode, {
    limit: PENDING_MAX,
    merchant,
    provider,
    status: "pending",
  });
  if (data.length === 0) return "";
  if (data.length === 1 && !hasMore) return " One document of the merchant is pending there.";
  return ` ${hasMore ? "More than " : ""}${data.length} documents of the merchant are pending there.`;
}

export async function runLink(context: CommandContext, options: LinkOptions): Promise<void> {
  const { io } = context;
  const body = {
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.returnUrl === undefined ? {} : { return_url: options.returnUrl }),
  };
  const name = await chooseMerchant(context, options.merchant);
  const { createConnectSession } = await import("../../src/connect-sessions/connect-sessions.ts");
  const created = await context.withAppliance(async (appliance, mode) => {
    const { id } = await merchantNamed(appliance, name);
    return createConnectSession(appliance, id, body, causeOf(mode));
  });
  const session = JSON.parse(created.json) as { url: string; expires_at: string };
  if (context.options.json === true) await printJson(io.stdout, session);
  else await write(io.stdout, `${session.url}\n`);
  await tell(io, `Valid until ${session.expires_at}, while \`fiscal serve\` runs. It cannot be shown again.`);
  const { server } = await context.configuration();
  if (server.publicUrl === "")
    await tell(
      io,
      "It leads to the address that the server listens on: set server.public_url for others to reach it.",
    );
}
