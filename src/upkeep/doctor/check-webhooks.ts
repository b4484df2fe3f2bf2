/** Webhook endpoints that get nothing, and deliveries that wait for a person. */
import { countDeliveriesIn, findEndpointsToLookAt } from "../../../storage/diagnosis.ts";
import { MODES } from "../../../storage/stored-values.ts";
import type { EndpointRow } from "../../../storage/webhooks.ts";
import { counted, type Finding, findingsOf, type OpenPatient, orOk } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("webhooks");

/** More are not counted. */
const COUNTED_MAX = 1000;
/** Receivers are down for a night now and then. */
const FAILING_HOURS = 24;
const HOUR_MS = 3_600_000;

export async function checkWebhooks(patient: OpenPatient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const mode of MODES) {
    for (const endpoint of await findEndpointsToLookAt(patient.inspection.session, mode))
      findings.push(...(await judge(patient, endpoint)));
  }
  return orOk(findings, ok("Every webhook endpoint is served."));
}

async function judge(patient: OpenPatient, endpoint: EndpointRow): Promise<Finding[]> {
  const { id, mode, status, disabled_reason: reason } = endpoint;
  const details = { mode, subjects: [id] };
  const enable = patient.command(mode, `webhooks update ${id} --status enabled`);
  const replay = patient.command(mode, `webhooks replay ${id}`);
  const waiting = await countWaiting(patient, id);
  const much = counted(waiting, "event", COUNTED_MAX);
  if (status === "disabled") {
    if (reason === null)
      return waiting === 0
        ? []
        : [
            notice(`A ${mode} webhook endpoint is disabled, and ${much} held for it.`, {
              ...details,
              next: `${enable}, then: ${replay}`,
            }),
          ];
    return [
      problem(`A ${mode} webhook endpoint was disabled because everything failed there; ${much} wait.`, {
        ...details,
        next: `mend the receiver, then: ${enable}, then: ${replay}`,
      }),
    ];
  }
  const findings: Finding[] = [];
  const failingSince = endpoint.failing_since === null ? undefined : Date.parse(endpoint.failing_since);
  if (failingSince !== undefined && patient.clock.nowMs() - failingSince >= FAILING_HOURS * HOUR_MS)
    findings.push(
      problem(`Everything posted to a ${mode} webhook endpoint has failed for more than a day.`, {
        ...details,
        next: `see why: ${patient.command(mode, `webhooks deliveries ${id}`)}`,
      }),
    );
  if (waiting > 0)
    findings.push(
      notice(`${much} held for a ${mode} webhook endpoint, or failed there, and not sent again.`, {
        ...details,
        next: replay,
      }),
    );
  return findings;
}

async function countWaiting({ inspection }: OpenPatient, endpointId: string): Promise<number> {
  const by = { endpointId, limit: COUNTED_MAX };
  const held = await countDeliveriesIn(inspection.session, { ...by, status: "held" });
  const failed = await countDeliveriesIn(inspection.session, { ...by, status: "failed" });
  return Math.min(COUNTED_MAX, held + failed);
}
