/** Webhook endpoints and deliveries for reading. */
import type { CommandContext } from "../context.ts";
import { tell } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { type Column, printFields } from "../ui/table.ts";

type Endpoints = typeof import("../../src/webhooks/endpoints.ts");
type Deliveries = typeof import("../../src/webhooks/deliveries.ts");

/** The API's own objects, as the functions of the product answer them. */
export type Endpoint = Awaited<ReturnType<Endpoints["getWebhookEndpoint"]>>;
export type Delivery = Awaited<ReturnType<Deliveries["listWebhookDeliveries"]>>["data"][number];

function formatStatus({ status, disabled_reason: reason }: Endpoint): string {
  return reason === null ? status : `${status} (${reason})`;
}

export const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  { head: "id", value: (endpoint) => endpoint.id },
  { head: "url", value: (endpoint) => endpoint.url },
  { head: "events", value: (endpoint) => formatTypes(endpoint.enabled_events) },
  { head: "status", value: formatStatus },
  { head: "created", value: (endpoint) => endpoint.created },
];

/** In a table there is room for few. */
const TYPES_SHOWN_MAX = 2;

function formatTypes(types: readonly string[]): string {
  if (types.length <= TYPES_SHOWN_MAX) return types.join(", ");
  return `${types.slice(0, TYPES_SHOWN_MAX).join(", ")} and ${types.length - TYPES_SHOWN_MAX} more`;
}

/** Prints one endpoint, with its secret where it has just been made: as the API's object, or field by field. */
export async function printEndpoint(
  context: CommandContext,
  endpoint: Endpoint & { secret?: string },
): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return printJson(io.stdout, endpoint);
  await printFields(io, [
    ["id", endpoint.id],
    ["url", endpoint.url],
    ["events", endpoint.enabled_events.join(", ")],
    ["description", endpoint.description],
    ["mode", endpoint.mode],
    ["status", formatStatus(endpoint)],
    ["created", endpoint.created],
    ...(endpoint.secret === undefined ? [] : [["secret", endpoint.secret] as const]),
  ]);
}

/** To whoever sees a secret that is shown only now. */
export function tellToKeep(context: CommandContext): Promise<void> {
  return tell(
    context.io,
    "Keep the secret now: it cannot be shown again. Receivers check the signature with it.",
  );
}

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { head: "created", value: (delivery) => delivery.created },
  { head: "event", value: (delivery) => delivery.event },
  { head: "status", value: (delivery) => delivery.status },
  { head: "attempts", align: "right", value: (delivery) => String(delivery.attempts.length) },
  { head: "last answer", value: formatLastAnswer },
  { head: "next attempt", value: (delivery) => delivery.next_attempt_at ?? "-" },
  { head: "id", value: (delivery) => delivery.id },
];

/** The HTTP status of the last attempt, or why there was none. */
function formatLastAnswer({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return "-";
  return last.status === null ? formatError(last.error) : String(last.status);
}

function formatError(error: unknown): string {
  if (typeof error === "string") return error;
  return typeof error === "object" && error !== null && "class" in error ? String(error.class) : "no answer";
}
