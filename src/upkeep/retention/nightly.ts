/** Runs retention once a day, unless the appliance is held. */
import { findWatermark, upsertWatermark } from "../../../storage/database/watermarks.ts";
import type { Context } from "../../journal/context.ts";
import { isHeld } from "../../journal/held.ts";
import { deleteExpiredData } from "./retention.ts";

/** Names the watermark with the day in Athens, `YYYY-MM-DD`, on which retention last began. */
export const RETENTION_WATERMARK = "forgetting";

/**
 * Runs in the first hour of a day in Athens, or later if the machine was off. A held appliance deletes nothing until it is
 * resumed, so that a backup restored for inspection keeps its data.
 */
export async function runRetentionDaily(context: Context): Promise<void> {
  const today = context.clock.today();
  if ((await findWatermark(context.store.read, RETENTION_WATERMARK)) === today) return;
  if (await isHeld(context.store.read)) return;
  await context.store.write((trx) => upsertWatermark(trx, RETENTION_WATERMARK, today));
  const deleted = await deleteExpiredData(context);
  context.store.file?.checkpoint();
  context.log.info({ ...deleted }, "deleted data past its retention period");
}
