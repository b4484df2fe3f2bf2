/** What the verbs of `fiscal webhooks` about endpoints and their deliveries do. */
import type { DeliveryStatus } from "../../storage/schema.ts";
import type { IdempotencyClaim } from "../../src/journal/context.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { say, tell } from "../io.ts";
import { type ListOptions, runList as runPagedList } from "../lists.ts";
import { printJson } from "../ui/json.ts";
import { askFor, confirmed } from "../ui/prompt.ts";
import {
  DELIVERY_COLUMNS,
  type Endpoint,
  ENDPOINT_COLUMNS,
  printEndpoint,
  tellToKeep,
} from "./webhook-view.ts";

export interface AddOptions {
  url?: string;
  events?: readonly string[];
  description?: string;
  idempotencyKey?: string;
}

export interface UpdateOptions {
  url?: string;
  events?: readonly string[];
  description?: string;
  status?: "enabled" | "disabled";
}

export interface DeliveriesOptions extends ListOptions {
  status?: DeliveryStatus;
}

export interface ReplayOptions {
  from?: string;
  to?: string;
  event?: string[];
}

/** spec, Idempotency: printable ASCII. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export async function runAdd(context: CommandContext, options: AddOptions): Promise<void> {
  const { io } = context;
  const key = options.idempotencyKey;
  if (key !== undefined && !KEY_FORM.test(key))
    throw new UsageError("--idempotency-key takes 1 to 255 printable ASCII characters without spaces");
  const url = await askFor(io, options.url, { flag: "--url", message: "URL that events are posted to" });
  const question = { flag: "--events", message: "Event types, with commas between (* for all)" };
  const types =
    options.events ?? (await askFor(io, undefined, question)).split(",").map((type) => type.trim());
  const body = {
    url,
    enabled_events: types,
    ...(options.description === undefined ? {} : { description: options.description }),
  };
  const { createWebhookEndpoint } = await import("../../src/webhooks/endpoints.ts");
  const { fingerprint } = await import("../../src/journal/idempotency.ts");
  // The claim is that of the API's operation: the same request there and here is made once.
  const claim: IdempotencyClaim | undefined =
    key === undefined
      ? undefined
      : { operation: "createWebhookEndpoint", key, fingerprint: fingerprint({}, body) };
  const created = await context.withAppliance((appliance, mode) =>
    createWebhookEndpoint(appliance, body, causeOf(mode, key ?? null), claim),
  );
  if (created.replayed)
    await tell(io, "It was made under this idempotency key before; this is what was answered then.");
  await printEndpoint(context, JSON.parse(created.json) as Endpoint & { secret: string });
  await tellToKeep(context);
}

export async function runList(context: CommandContext, options: ListOptions): Promise<void> {
  const { listWebhookEndpoints } = await import("../../src/webhooks/endpoints.ts");
  await context.withAppliance((appliance, mode) =>
    runPagedList(context, options, {
      plural: "webhook endpoints",
      columns: ENDPOINT_COLUMNS,
      fetch: (page) => listWebhookEndpoints(appliance, mode, page),
    }),
  );
}

export async function runShow(context: CommandContext, id: string): Promise<void> {
  const { getWebhookEndpoint } = await import("../../src/webhooks/endpoints.ts");
  await printEndpoint(
    context,
    await context.withAppliance((appliance, mode) => getWebhookEndpoint(appliance, mode, id)),
  );
}

export async function runUpdate(context: CommandContext, id: string, options: UpdateOptions): Promise<void> {
  const { url, events, description, status } = options;
  const changes = {
    url,
    enabled_events: events,
    description: description === "" ? null : description,
    status,
  };
  const body = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(body).length === 0)
    throw new UsageError("nothing to change: give --url, --events, --description or --status");
  const { updateWebhookEndpoint } = await import("../../src/webhooks/endpoints.ts");
  const endpoint = await context.withAppliance((appliance, mode) =>
    updateWebhookEndpoint(appliance, id, body, causeOf(mode)),
  );
  await printEndpoint(context, endpoint);
  if (status === "enabled")
    await tell(context.io, `What was held meanwhile stays so until: fiscal webhooks replay ${id}`);
}

export async function runRemove(
  context: CommandContext,
  id: string,
  yes: boolean | undefined,
): Promise<ExitCode> {
  const { io } = context;
  const { deleteWebhookEndpoint, getWebhookEndpoint } = await import("../../src/webhooks/endpoints.ts");
  const removed = await context.withAppliance(async (appliance, mode) => {
    const { url } = await getWebhookEndpoint(appliance, mode, id);
    const question = `Remove the endpoint ${url}? What is still to be posted to it is forgotten.`;
    return (await confirmed(io, yes, question))
      ? deleteWebhookEndpoint(appliance, id, causeOf(mode))
      : undefined;
  });
  if (removed === undefined) {
    await tell(io, "Nothing was changed.");
    return EXIT.failure;
  }
  if (context.options.json === true) await printJson(io.stdout, removed);
  else await say(io, `${id} removed`);
  return EXIT.done;
}

export async function runRotateSecret(
  context: CommandContext,
  id: string,
  overlapSeconds: number | undefined,
): Promise<void> {
  const { rotateWebhookSecret } = await import("../../src/webhooks/endpoints.ts");
  const body = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds };
  const endpoint = await context.withAppliance((appliance, mode) =>
    rotateWebhookSecret(appliance, id, body, causeOf(mode)),
  );
  await printEndpoint(context, endpoint);
  await tellToKeep(context);
}

export async function runDeliveries(
  context: CommandContext,
  id: string,
  options: DeliveriesOptions,
): Promise<void> {
  const { listWebhookDeliveries } = await import("../../src/webhooks/deliveries.ts");
  await context.withAppliance((appliance, mode) =>
    runPagedList(context, options, {
      plural: "deliveries",
      columns: DELIVERY_COLUMNS,
      fetch: (page) => listWebhookDeliveries(appliance, mode, id, { ...page, status: options.status }),
    }),
  );
}

export async function runReplay(context: CommandContext, id: string, options: ReplayOptions): Promise<void> {
  const { io } = context;
  const { from, to, event: events } = options;
  const created = {
    ...(from === undefined ? {} : { gte: from }),
    ...(to === undefined ? {} : { lte: to }),
  };
  const body = {
    ...(Object.keys(created).length === 0 ? {} : { created }),
    ...(events === undefined ? {} : { events }),
  };
  const { replayWebhookEvents } = await import("../../src/webhooks/replay.ts");
  const replay = await context.withAppliance((appliance, mode) =>
    replayWebhookEvents(appliance, id, body, causeOf(mode)),
  );
  if (context.options.json === true) await printJson(io.stdout, replay);
  else await say(io, `${replay.queued} queued`);
  if (replay.queued > 0) await tell(io, "They are posted while `fiscal serve` runs.");
}
