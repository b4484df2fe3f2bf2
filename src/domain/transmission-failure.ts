/**
 * The declaration that a document is sent late because the sender had lost its connection
 * (docs/contract.md#transmission-failure). Only a person knows whether that is so, so it is never made automatically.
 */
import type { Problem } from "../foundation/errors.ts";

export const TRANSMISSION_FAILURE_KEY = "transmission_failure";

/** The authority's code for programs such as this one. Its other codes are for providers (docs/authority.md#failure-flag). */
export const CONNECTION_WAS_LOST = "3";

/** The problems of the key in a document's metadata. */
export function checkTransmissionFailure(metadata: Readonly<Record<string, string>> | undefined): Problem[] {
  const value = metadata?.[TRANSMISSION_FAILURE_KEY];
  if (value === undefined || value === CONNECTION_WAS_LOST) return [];
  const message = {
    en: `must be "${CONNECTION_WAS_LOST}" (the connection was lost) or be left out`,
    el: `πρέπει να είναι "${CONNECTION_WAS_LOST}" (απώλεια σύνδεσης) ή να παραλείπεται`,
  };
  return [{ path: `metadata.${TRANSMISSION_FAILURE_KEY}`, message }];
}

export function declaresTransmissionFailure(metadata: Readonly<Record<string, string>>): boolean {
  return metadata[TRANSMISSION_FAILURE_KEY] === CONNECTION_WAS_LOST;
}
