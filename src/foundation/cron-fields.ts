/** Checks cron expressions without loading croner, because every start of the program checks its settings. */

/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const ITEM = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** Whether `text` has the five numeric fields of `man 5 crontab`: `30 3 * * *` is every day at 3:30. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === RANGES.length &&
    fields.every((field, at) => {
      const [minimum, maximum] = RANGES[at]!;
      return field.split(",").every((item) => fits(item, minimum, maximum));
    })
  );
}

function fits(item: string, minimum: number, maximum: number): boolean {
  const found = ITEM.exec(item);
  if (found === null) return false;
  const [, first, last, step] = found;
  const from = first === undefined ? minimum : Number(first);
  const to = last === undefined ? from : Number(last);
  if (step !== undefined) {
    const isRange = first === undefined || last !== undefined;
    if (!isRange || Number(step) < 1 || Number(step) > maximum) return false;
  }
  return from >= minimum && to <= maximum && from <= to;
}
