/**
 * What tells a value that was sent from the one that is kept of it, so that a log need not keep it a second time. Pure. Both
 * are JSON; the order of keys is no part of it.
 */

type Key = string | number;

/** A place, and what stood there in what was sent; without a second element nothing stood there. */
export type Difference = [path: Key[], sent?: unknown][];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What has to be done to `kept` to have `sent` again. */
export function diffJson(sent: unknown, kept: unknown): Difference {
  const difference: Difference = [];
  compare(sent, kept, [], difference);
  return difference;
}

function compare(sent: unknown, kept: unknown, path: Key[], difference: Difference): void {
  if (isObject(sent) && isObject(kept)) {
    for (const key of Object.keys(kept)) {
      if (!Object.hasOwn(sent, key)) {
        // A member that is undefined is not written: it is in neither.
        if (kept[key] !== undefined) difference.push([[...path, key]]);
      } else compare(sent[key], kept[key], [...path, key], difference);
    }
    for (const key of Object.keys(sent)) {
      if (!Object.hasOwn(kept, key)) difference.push([[...path, key], sent[key]]);
    }
  } else if (Array.isArray(sent) && Array.isArray(kept) && sent.length === kept.length) {
    for (const [index, item] of sent.entries()) compare(item, kept[index], [...path, index], difference);
  } else if (!Object.is(sent, kept)) difference.push([path, sent]);
}

/** `kept`, which is changed in its place, as it was sent. */
export function applyDifference(kept: unknown, difference: Difference): unknown {
  let whole = kept;
  for (const [path, ...sent] of difference) {
    const last = path.at(-1);
    if (last === undefined) {
      whole = sent[0];
      continue;
    }
    const place = path.slice(0, -1).reduce((value, key) => (value as Record<Key, unknown>)[key], whole);
    const object = place as Record<Key, unknown>;
    if (sent.length === 0) delete object[last];
    else
      Object.defineProperty(object, last, {
        value: sent[0],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return whole;
}
