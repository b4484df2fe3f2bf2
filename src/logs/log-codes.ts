/** The watermark of the nightly forgetting: the day in Athens, `YYYY-MM-DD`, on which it was last begun. */
export const FORGETTING = "forgetting";
