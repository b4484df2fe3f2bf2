/** `fiscal webhooks deliveries`: an endpoint's deliveries, newest first. */
import type { Command } from "commander";
import type { Text } from "../../src/foundation/text.ts";
import { listWebhookDeliveries } from "../../src/webhooks/attempts.ts";
import { DELIVERY_STATUSES, type DeliveryStatus } from "../../storage/database/schema.ts";
import type { CommandContext } from "../context.ts";
import { addListOptions, type ListOptions, runList } from "../lists.ts";
import { addExamples, choice } from "../options.ts";
import type { Column } from "../../src/operations/view.ts";
import { countText, instantText, optionalInstantText } from "../../src/operations/values.ts";
import { listWords, wordText } from "../../src/operations/words.ts";

interface DeliveriesOptions extends ListOptions {
  status?: DeliveryStatus;
}

export function defineDeliveries(command: Command, context: CommandContext): void {
  addListOptions(command, context)
    .option(
      "--status <status>",
      context.inLanguage(listWords(DELIVERY_STATUSES)),
      choice("--status", DELIVERY_STATUSES),
    )
    .action((id: string, options: DeliveriesOptions) => context.end(listDeliveries(context, id, options)));
  addExamples(command, context, "fiscal webhooks deliveries we_… --status failed");
}

/** The API's own object. */
type Delivery = Awaited<ReturnType<typeof listWebhookDeliveries>>["data"][number];

const COLUMNS: readonly Column<Delivery>[] = [
  {
    head: { en: "created", el: "δημιουργία" },
    leaveOut: 3,
    value: (delivery) => instantText(delivery.created),
  },
  { head: { en: "event", el: "συμβάν" }, value: (delivery) => delivery.event },
  { head: { en: "status", el: "κατάσταση" }, value: (delivery) => wordText(delivery.status) },
  {
    head: { en: "attempts", el: "προσπάθειες" },
    align: "right",
    value: (delivery) => countText(delivery.attempts.length),
  },
  { head: { en: "last response", el: "τελευταία απάντηση" }, shortens: true, value: lastResponseText },
  {
    head: { en: "next attempt", el: "επόμενη προσπάθεια" },
    leaveOut: 2,
    value: (delivery) => optionalInstantText(delivery.next_attempt_at),
  },
  { head: "id", leaveOut: 1, value: (delivery) => delivery.id },
];

/** The HTTP status of the last attempt, or why there was none. */
function lastResponseText({ attempts }: Delivery): Text | string {
  const last = attempts.at(-1);
  if (last === undefined) return "-";
  return last.status === null ? errorText(last.error) : String(last.status);
}

function errorText(error: unknown): Text | string {
  if (typeof error === "string") return error;
  if (typeof error === "object" && error !== null && "class" in error) return String(error.class);
  return { en: "no response", el: "καμία απάντηση" };
}

async function listDeliveries(
  context: CommandContext,
  id: string,
  options: DeliveriesOptions,
): Promise<void> {
  await context.withAppliance((appliance, mode) =>
    runList(context, options, {
      none: { en: "No deliveries.", el: "Δεν υπάρχουν αποστολές." },
      columns: COLUMNS,
      fetch: (page) => listWebhookDeliveries(appliance, mode, id, { ...page, status: options.status }),
    }),
  );
}
