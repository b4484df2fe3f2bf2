/** Finds webhook endpoints that receive nothing, and deliveries that need attention. */
import { countDeliveriesIn, findEndpointsOfMode } from "../../../storage/upkeep/diagnosis.ts";
import { MODES } from "../../../storage/stored-values.ts";
import type { EndpointRow } from "../../../storage/webhooks/webhooks.ts";
import { type Check, counted, type Found, notice, problem, type TableCheckInput } from "./doctor-finding.ts";

const COUNTED_MAX = 1000;
/** Receivers are sometimes down for a night. */
const FAILING_HOURS = 24;
const HOUR_MS = 3_600_000;

const EVENTS = { one: { en: "event", el: "συμβάν" }, many: { en: "events", el: "συμβάντα" } };

export const webhooksCheck: Check<TableCheckInput> = {
  name: "webhooks",
  async find(input) {
    const findings: Found[] = [];
    for (const mode of MODES) {
      for (const endpoint of await findEndpointsOfMode(input.inspection.session, mode)) {
        const check = endpoint.status === "disabled" ? checkDisabled : checkEnabled;
        findings.push(...check(input, endpoint, await countWaiting(input, endpoint.id)));
      }
    }
    return findings;
  },
  ok: { en: "Every webhook endpoint is served.", el: "Κάθε τελικό σημείο (endpoint) εξυπηρετείται." },
};

function checkDisabled(input: TableCheckInput, endpoint: EndpointRow, waiting: number): Found[] {
  const { id, mode, disabled_reason: reason } = endpoint;
  const details = { mode, subjects: [id] };
  const enable = input.command(mode, `webhooks update ${id} --status enabled`);
  const replay = input.command(mode, `webhooks replay ${id}`);
  const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
  if (reason !== null) {
    const message = {
      en: `A ${mode} webhook endpoint was disabled because everything failed there; ${en} waiting.`,
      el: `Ένα τελικό σημείο (endpoint) ${mode} απενεργοποιήθηκε γιατί όλα αποτύγχαναν· περιμένουν: ${el}.`,
    };
    const next = {
      en: `repair the receiver, then: ${enable}, then: ${replay}`,
      el: `διορθώστε τον παραλήπτη, έπειτα: ${enable}, έπειτα: ${replay}`,
    };
    return [problem(message, next, details)];
  }
  const message =
    waiting === 0
      ? {
          en: `A ${mode} webhook endpoint is disabled, so its events are held.`,
          el: `Ένα τελικό σημείο (endpoint) ${mode} είναι ανενεργό, άρα τα συμβάντα του κρατούνται.`,
        }
      : {
          en: `A ${mode} webhook endpoint is disabled, and ${en} held for it.`,
          el: `Ένα τελικό σημείο (endpoint) ${mode} είναι ανενεργό, και κρατούνται για αυτό: ${el}.`,
        };
  const next = { en: `${enable}, then: ${replay}`, el: `${enable}, έπειτα: ${replay}` };
  return [notice(message, next, details)];
}

function checkEnabled(input: TableCheckInput, endpoint: EndpointRow, waiting: number): Found[] {
  const { id, mode } = endpoint;
  const details = { mode, subjects: [id] };
  const findings: Found[] = [];
  const failingSince = endpoint.failing_since === null ? undefined : Date.parse(endpoint.failing_since);
  if (failingSince !== undefined && input.clock.nowMs() - failingSince >= FAILING_HOURS * HOUR_MS) {
    const deliveries = input.command(mode, `webhooks deliveries ${id}`);
    const message = {
      en: `Everything posted to a ${mode} webhook endpoint has failed for more than a day.`,
      el: `Κάθε αποστολή σε ένα τελικό σημείο (endpoint) ${mode} αποτυγχάνει πάνω από μία ημέρα.`,
    };
    const next = { en: `see why: ${deliveries}`, el: `δείτε γιατί: ${deliveries}` };
    findings.push(problem(message, next, details));
  }
  if (waiting > 0) {
    const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
    const message = {
      en: `${en} held for a ${mode} webhook endpoint, or failed there, and not sent again.`,
      el: `${el} κρατούνται για ένα τελικό σημείο (endpoint) ${mode} ή απέτυχαν εκεί, και δεν στάλθηκαν ξανά.`,
    };
    findings.push(notice(message, input.command(mode, `webhooks replay ${id}`), details));
  }
  return findings;
}

async function countWaiting({ inspection }: TableCheckInput, endpointId: string): Promise<number> {
  const by = { endpointId, limit: COUNTED_MAX };
  const held = await countDeliveriesIn(inspection.session, { ...by, status: "held" });
  const failed = await countDeliveriesIn(inspection.session, { ...by, status: "failed" });
  return Math.min(COUNTED_MAX, held + failed);
}
