/** Compares what `doctor` finds with the problems reported before (docs/contract.md#alerts). */
import { createHash } from "node:crypto";
import type { AlertRow } from "../../../storage/upkeep/alerts.ts";
import type { Finding } from "../doctor/doctor-finding.ts";

export interface AlertChanges {
  /** The problems that were not reported yet, by the id under which they are remembered. */
  begun: { id: string; finding: Finding }[];
  ended: AlertRow[];
}

export function compareAlerts(findings: readonly Finding[], reported: readonly AlertRow[]): AlertChanges {
  const problems = new Map<string, Finding>();
  for (const finding of findings) {
    if (finding.severity === "problem") problems.set(identify(finding), finding);
  }
  const known = new Set(reported.map(({ id }) => id));
  return {
    begun: [...problems].filter(([id]) => !known.has(id)).map(([id, finding]) => ({ id, finding })),
    ended: reported.filter(({ id }) => !problems.has(id)),
  };
}

/**
 * The same for as long as a problem lasts: its message without numbers and plurals, because `1 mail waits` and later `2 mails
 * wait` are one problem, and what it is about. Documents are counted in the message, and change.
 */
function identify({ check, mode, message, subjects }: Finding): string {
  const kind = message.en.replaceAll(/\d+(?: or more)?/g, "").replaceAll(/s\b/g, "");
  const about = subjects.filter((subject) => !subject.startsWith("doc_"));
  return createHash("sha256")
    .update(JSON.stringify([check, mode, kind, about]))
    .digest("hex")
    .slice(0, 32);
}
