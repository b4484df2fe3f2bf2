/** When retention does its work: once a day, and not while the appliance is held. */
import { findWatermark, upsertWatermark } from "../../../storage/watermarks.ts";
import type { Context } from "../../journal/context.ts";
import { isHeld } from "../../journal/held.ts";
import { forget } from "./retention.ts";

/** The watermark of retention: the day in Athens, `YYYY-MM-DD`, on which it last began. */
export const RETENTION_WATERMARK = "forgetting";

/**
 * In the first hours of a day in Athens; where the machine was off then, at the next full hour that it is on. A backup that
 * was taken back to be looked at still has what it had the day after; it is forgotten once the appliance works again.
 */
export async function forgetOnceADay(context: Context): Promise<void> {
  const today = context.clock.today();
  if ((await findWatermark(context.store.read, RETENTION_WATERMARK)) === today) return;
  if (await isHeld(context.store.read)) return;
  await context.store.write((trx) => upsertWatermark(trx, RETENTION_WATERMARK, today));
  const forgotten = await forget(context);
  context.store.checkpoint();
  context.log.info({ ...forgotten }, "forgot what has had its time");
}
