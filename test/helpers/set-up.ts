/** Opens what tests need, and closes it after them. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

interface Closable {
  close(): unknown;
}

/** Opens an object before each test of the file or group, and closes it afterwards if it can be closed. Use the result as if it were that object. */
export function forEachTest<T extends object>(open: () => T | Promise<T>): T {
  const current: { opened?: T } = {};
  beforeEach(async () => void (current.opened = await open()));
  afterEach(() => close(current));
  return standFor(current);
}

/** The same once, before the first test and after the last. */
export function forAllTests<T extends object>(open: () => T | Promise<T>): T {
  const current: { opened?: T } = {};
  beforeAll(async () => void (current.opened = await open()));
  afterAll(() => close(current));
  return standFor(current);
}

/** Makes it close at the end of its block: `await using server = await closing(openServer())`. */
export async function closing<T extends Closable>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const opened = await opening;
  return Object.assign(opened, { [Symbol.asyncDispose]: async () => void (await opened.close()) });
}

async function close(current: { opened?: object | Closable }): Promise<void> {
  const { opened } = current;
  if (opened !== undefined && "close" in opened) await opened.close();
  delete current.opened;
}

function standFor<T extends object>(current: { opened?: T }): T {
  const opened = (): T => {
    if (current.opened === undefined) throw new Error("it is only open while a test or a hook runs");
    return current.opened;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(opened(), name),
    set: (_, name, value) => Reflect.set(opened(), name, value),
    has: (_, name) => Reflect.has(opened(), name),
    ownKeys: () => Reflect.ownKeys(opened()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(opened(), name),
  });
}
