/** Webhook endpoints as tables and fields. */
import type { getWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { printNote } from "../io.ts";
import { printObject } from "../results.ts";
import type { Column } from "../../src/operations/view.ts";
import { instantText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";

/** The API's own object. */
export type Endpoint = Awaited<ReturnType<typeof getWebhookEndpoint>>;

function statusText({ status, disabled_reason: reason }: Endpoint): Text {
  if (reason === null) return wordText(status);
  return joinTexts([wordText(status), sameInBoth(" ("), wordText(reason), sameInBoth(")")], "");
}

export const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  { head: "id", value: (endpoint) => endpoint.id },
  { head: "url", shortens: true, value: (endpoint) => endpoint.url },
  {
    head: { en: "events", el: "συμβάντα" },
    shortens: true,
    value: (endpoint) => typesText(endpoint.enabled_events),
  },
  { head: { en: "status", el: "κατάσταση" }, value: statusText },
  {
    head: { en: "created", el: "δημιουργία" },
    leaveOut: 1,
    value: (endpoint) => instantText(endpoint.created),
  },
];

/** A table has no room for more. */
const TYPES_SHOWN_MAX = 2;

function typesText(types: readonly string[]): Text {
  const shown = types.slice(0, TYPES_SHOWN_MAX).join(", ");
  const rest = types.length - TYPES_SHOWN_MAX;
  if (rest <= 0) return sameInBoth(shown);
  return { en: `${shown} and ${rest} more`, el: `${shown} και άλλα ${rest}` };
}

/** Prints an endpoint, with its secret if it was just created. */
export function printEndpoint(
  context: CommandContext,
  endpoint: Endpoint & { secret?: string },
): Promise<void> {
  return printObject(context, endpoint, [
    ["id", endpoint.id],
    ["url", endpoint.url],
    [{ en: "events", el: "συμβάντα" }, endpoint.enabled_events.join(", ")],
    [{ en: "description", el: "περιγραφή" }, endpoint.description],
    [{ en: "mode", el: "λειτουργία" }, wordText(endpoint.mode)],
    [{ en: "status", el: "κατάσταση" }, statusText(endpoint)],
    [{ en: "created", el: "δημιουργία" }, instantText(endpoint.created)],
    ...(endpoint.secret === undefined ? [] : [[{ en: "secret", el: "μυστικό" }, endpoint.secret] as const]),
  ]);
}

export function printSaveSecretNote({ io }: CommandContext): Promise<void> {
  return printNote(io, {
    en: "Save the secret now: it cannot be shown again. Receivers use it to check the signature.",
    el: "Φυλάξτε το μυστικό τώρα: δεν μπορεί να εμφανιστεί ξανά. Με αυτό ελέγχουν την υπογραφή οι παραλήπτες.",
  });
}
