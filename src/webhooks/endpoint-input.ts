/** Schemas of the request bodies of webhook operations (docs/contract.md#webhook-endpoints). */
import * as v from "valibot";
import { ENDPOINT_STATUSES, type Mode } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import { type Problem, validationError } from "../foundation/errors.ts";
import { characters, InstantSchema } from "../foundation/field-schemas.ts";
import { must } from "../foundation/field-checks.ts";
import { idOf } from "../foundation/wire.ts";
import { literalAddress, type NetworkGuard, createNetworkGuard } from "../foundation/network-guard.ts";
import { ENABLED_EVENTS, ENDPOINT_FIELDS } from "./endpoint-object.ts";
import { EVERY_EVENT } from "../journal/append-event.ts";

const URL_LENGTH_MAX = 2048;
const DESCRIPTION_LENGTH_MAX = 500;
/** One week. */
const OVERLAP_SECONDS_MAX = 604_800;
const REPLAYED_EVENTS_MAX = 1000;

/** Receivers authenticate deliveries by the signature; a user name and password in the URL would appear in logs. */
function isReceiverAddress(text: string): boolean {
  // URL parsing ignores line breaks, but the stored text would contain them.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

const UrlSchema = described(
  v.pipe(
    characters(1, URL_LENGTH_MAX),
    must(isReceiverAddress, {
      en: "must be an http or https address, without user name, password and fragment",
      el: "πρέπει να είναι διεύθυνση http ή https, χωρίς όνομα χρήστη, κωδικό και fragment",
    }),
    v.metadata({ jsonSchema: { format: "uri" } }),
  ),
  ENDPOINT_FIELDS.url,
);

const EnabledEventsSchema = described(
  v.pipe(
    v.array(v.picklist(ENABLED_EVENTS)),
    v.minLength(1),
    v.maxLength(ENABLED_EVENTS.length),
    must((types) => new Set(types).size === types.length, {
      en: "must not name a type twice",
      el: "δεν επιτρέπεται να αναφέρει έναν τύπο δύο φορές",
    }),
    must((types) => types.length === 1 || !types.includes(EVERY_EVENT), {
      en: `must have ${EVERY_EVENT} alone: it stands for every type`,
      el: `πρέπει να έχει το ${EVERY_EVENT} μόνο του: καλύπτει κάθε τύπο`,
    }),
  ),
  ENDPOINT_FIELDS.enabledEvents,
);

const DescriptionSchema = described(
  v.nullable(characters(1, DESCRIPTION_LENGTH_MAX)),
  ENDPOINT_FIELDS.description,
);

export const CreateWebhookEndpointSchema = component(
  "CreateWebhookEndpoint",
  "An address that receives events.",
  v.strictObject({
    url: UrlSchema,
    enabled_events: EnabledEventsSchema,
    description: v.optional(DescriptionSchema),
  }),
);

export const UpdateWebhookEndpointSchema = component(
  "UpdateWebhookEndpoint",
  "The fields to change. What is left out stays as it is.",
  v.strictObject({
    url: v.optional(UrlSchema),
    enabled_events: v.optional(EnabledEventsSchema),
    description: v.optional(DescriptionSchema),
    status: v.optional(
      described(
        v.picklist(ENDPOINT_STATUSES),
        "`disabled` holds its events back; `enabled` sends new ones again.",
      ),
    ),
  }),
);

export const RotateWebhookSecretSchema = component(
  "RotateWebhookSecret",
  "How long the old secret stays valid.",
  v.strictObject({
    overlap_seconds: v.optional(
      described(
        v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(OVERLAP_SECONDS_MAX)),
        "For how many seconds deliveries are signed with the old secret too; 86400, a day, by default.",
      ),
    ),
  }),
);

export const ReplayWebhookEventsSchema = component(
  "ReplayWebhookEvents",
  "Which events to send again. An empty object means every held or failed one.",
  v.strictObject({
    created: v.optional(
      described(
        v.strictObject({
          gte: v.optional(described(InstantSchema, "Only events created at this instant or later.")),
          lte: v.optional(described(InstantSchema, "Only events created at this instant or earlier.")),
        }),
        "Limits the events to those created in this range.",
      ),
    ),
    events: v.optional(
      described(
        v.pipe(v.array(idOf("evt")), v.minLength(1), v.maxLength(REPLAYED_EVENTS_MAX)),
        "The ids of the events to send, whatever became of them before.",
      ),
    ),
  }),
);

export const ResendEventSchema = component(
  "ResendEvent",
  "Where to send the event.",
  v.strictObject({
    webhook_endpoint: v.optional(
      described(
        idOf("we"),
        "The id of the webhook endpoint. Without it, every enabled endpoint that subscribes to the type.",
      ),
    ),
  }),
);

/** Throws `validation_failed` if the text of `address` alone shows that an endpoint of `mode` may not have it. */
export function requireAllowedAddress(address: string, mode: Mode, guard: NetworkGuard): void {
  const url = new URL(address);
  const problems: Problem[] = [];
  if (mode === "live" && url.protocol !== "https:")
    problems.push({
      path: "url",
      message: {
        en: "must be https for a live endpoint",
        el: "πρέπει να είναι https για παραλήπτη στο πραγματικό περιβάλλον",
      },
    });
  const literal = literalAddress(url);
  const refusal = literal === undefined ? undefined : guard(literal, mode);
  if (refusal !== undefined)
    problems.push({
      path: "url",
      message: {
        en: `cannot be delivered to: ${refusal.en}`,
        el: `δεν μπορεί να λάβει αποστολές: ${refusal.el}`,
      },
    });
  if (problems.length > 0) throw validationError(problems);
}

export function createWebhookGuard(allowNetworks: readonly string[]): NetworkGuard {
  return createNetworkGuard(allowNetworks, "[webhooks] allow_networks");
}
