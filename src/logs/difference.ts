/**
 * Computes and applies differences between JSON values, so that the log need not store a document a second time. The order
 * of keys is ignored.
 */

type Key = string | number;

/** Paths, each with the value sent there. Without a second element, nothing was sent at the path. */
export type Difference = [path: Key[], sent?: unknown][];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the changes that turn `kept` into `sent`. */
export function diffJson(sent: unknown, kept: unknown): Difference {
  const difference: Difference = [];
  compare(sent, kept, [], difference);
  return difference;
}

/** `path` is the same array at every depth, because most values do not differ and need no copy of it. */
function compare(sent: unknown, kept: unknown, path: Key[], difference: Difference): void {
  const compareMember = (key: Key, sentMember: unknown, keptMember: unknown) => {
    if (Object.is(sentMember, keptMember)) return;
    path.push(key);
    compare(sentMember, keptMember, path, difference);
    path.pop();
  };
  if (isObject(sent) && isObject(kept)) {
    for (const key of Object.keys(kept)) {
      if (Object.hasOwn(sent, key)) compareMember(key, sent[key], kept[key]);
      // An undefined member does not appear in JSON.
      else if (kept[key] !== undefined) difference.push([[...path, key]]);
    }
    for (const key of Object.keys(sent)) {
      if (!Object.hasOwn(kept, key)) difference.push([[...path, key], sent[key]]);
    }
  } else if (Array.isArray(sent) && Array.isArray(kept) && sent.length === kept.length) {
    for (const [index, item] of sent.entries()) compareMember(index, item, kept[index]);
  } else if (!Object.is(sent, kept)) difference.push([[...path], sent]);
}

/** Applies the changes to `kept`, which is modified, and returns the result. */
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
