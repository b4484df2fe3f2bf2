/**
 * Refuses work while an appliance is held (docs/contract.md#held-appliance). Another one with the same data may be running, or
 * may have sent what is unknown here, so this one sends nothing, which would register twice, and accepts no documents, which would
 * get the same numbers.
 */
import { findHold } from "../../storage/upkeep/held.ts";
import type { Session } from "../../storage/database/session.ts";
import { AppError } from "../foundation/errors.ts";
import { joinTexts, type Text } from "../foundation/text.ts";

export async function isHeld(read: Session): Promise<boolean> {
  return (await findHold(read)).isHeld;
}

/** Also the reason that `/readyz` shows. */
export const HELD_REASON: Text = {
  en: "The appliance is on hold after a restore, a move or lost writes: it only reads, and sends nothing until it is resumed",
  el: "Το σύστημα είναι σε αναμονή μετά από επαναφορά, μεταφορά ή απώλεια εγγραφών: μόνο διαβάζει, και δεν στέλνει τίποτα μέχρι να τερματιστεί η αναμονή",
  next: { operation: "resume" },
};

/** Throws `service_unavailable` while the appliance is held. `refusal` says what was not done. */
export async function refuseWhileHeld(read: Session, refusal: Text): Promise<void> {
  if (await isHeld(read)) throw heldError(refusal);
}

export function heldError(refusal: Text): AppError {
  return new AppError("service_unavailable", joinTexts([refusal, HELD_REASON], ". "));
}
