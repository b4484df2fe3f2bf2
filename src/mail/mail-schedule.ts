/** When a mail is tried again (docs/contract.md#mail). */
import { longestDelayMs } from "../webhooks/retry-schedule.ts";

/** Seconds before each attempt: over two days in all, so that no mail is lost to a weekend's outage. */
export const MAIL_DELAYS_SECONDS = [0, 30, 300, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];

/** No mail that waits is due later. */
export const LONGEST_MAIL_PAUSE_MS = longestDelayMs(MAIL_DELAYS_SECONDS);
