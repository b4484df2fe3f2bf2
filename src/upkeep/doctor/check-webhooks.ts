/** Finds webhook endpoints that receive nothing, and deliveries that need attention. */
import { countDeliveriesIn, findEndpointsOfMode } from "../../../storage/diagnosis.ts";
import { MODES } from "../../../storage/stored-values.ts";
import type { EndpointRow } from "../../../storage/webhooks.ts";
import { counted, type Finding, findingsOf, type OpenPatient, orOk } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("webhooks");

const COUNTED_MAX = 1000;
/** Receivers are sometimes down for a night. */
const FAILING_HOURS = 24;
const HOUR_MS = 3_600_000;

const EVENTS = { one: { en: "event", el: "συμβάν" }, many: { en: "events", el: "συμβάντα" } };

export async function checkWebhooks(patient: OpenPatient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const mode of MODES) {
    for (const endpoint of await findEndpointsOfMode(patient.inspection.session, mode)) {
      const waiting = await countWaiting(patient, endpoint.id);
      const isDisabled = endpoint.status === "disabled";
      findings.push(
        ...(isDisabled
          ? checkDisabled(patient, endpoint, waiting)
          : checkEnabled(patient, endpoint, waiting)),
      );
    }
  }
  return orOk(
    findings,
    ok({
      en: "Every webhook endpoint is served.",
      el: "Κάθε τελικό σημείο (endpoint) εξυπηρετείται.",
    }),
  );
}

function checkDisabled(patient: OpenPatient, endpoint: EndpointRow, waiting: number): Finding[] {
  const { id, mode, disabled_reason: reason } = endpoint;
  const details = { mode, subjects: [id] };
  const enable = patient.command(mode, `webhooks update ${id} --status enabled`);
  const replay = patient.command(mode, `webhooks replay ${id}`);
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
    return [problem(message, { ...details, next })];
  }
  if (waiting === 0) return [];
  const message = {
    en: `A ${mode} webhook endpoint is disabled, and ${en} held for it.`,
    el: `Ένα τελικό σημείο (endpoint) ${mode} είναι ανενεργό, και κρατούνται για αυτό: ${el}.`,
  };
  const next = { en: `${enable}, then: ${replay}`, el: `${enable}, έπειτα: ${replay}` };
  return [notice(message, { ...details, next })];
}

function checkEnabled(patient: OpenPatient, endpoint: EndpointRow, waiting: number): Finding[] {
  const { id, mode } = endpoint;
  const details = { mode, subjects: [id] };
  const findings: Finding[] = [];
  const failingSince = endpoint.failing_since === null ? undefined : Date.parse(endpoint.failing_since);
  if (failingSince !== undefined && patient.clock.nowMs() - failingSince >= FAILING_HOURS * HOUR_MS) {
    const deliveries = patient.command(mode, `webhooks deliveries ${id}`);
    const message = {
      en: `Everything posted to a ${mode} webhook endpoint has failed for more than a day.`,
      el: `Κάθε αποστολή σε ένα τελικό σημείο (endpoint) ${mode} αποτυγχάνει πάνω από μία ημέρα.`,
    };
    const next = { en: `see why: ${deliveries}`, el: `δείτε γιατί: ${deliveries}` };
    findings.push(problem(message, { ...details, next }));
  }
  if (waiting > 0) {
    const { en, el } = counted(waiting, EVENTS, COUNTED_MAX);
    const message = {
      en: `${en} held for a ${mode} webhook endpoint, or failed there, and not sent again.`,
      el: `${el} κρατούνται για ένα τελικό σημείο (endpoint) ${mode} ή απέτυχαν εκεί, και δεν στάλθηκαν ξανά.`,
    };
    findings.push(notice(message, { ...details, next: patient.command(mode, `webhooks replay ${id}`) }));
  }
  return findings;
}

async function countWaiting({ inspection }: OpenPatient, endpointId: string): Promise<number> {
  const by = { endpointId, limit: COUNTED_MAX };
  const held = await countDeliveriesIn(inspection.session, { ...by, status: "held" });
  const failed = await countDeliveriesIn(inspection.session, { ...by, status: "failed" });
  return Math.min(COUNTED_MAX, held + failed);
}
