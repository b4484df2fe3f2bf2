/**
 * Random numbers of one history. Each decision is drawn under its own name, so that removing one fault or document leaves the
 * draws of all others as they were.
 */
import { seeded } from "../helpers/seeded.ts";

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

export function createDraws(seed: number) {
  const sequence = (name: string) => seeded(hash(`${seed} ${name}`));
  const draw = (name: string) => sequence(name)();
  return {
    /** From 0 up to, not including, 1. The same name always gives the same number. */
    draw,
    /** A whole number from `min` through `max`. */
    between: (name: string, min: number, max: number) => min + Math.floor(draw(name) * (max - min + 1)),
    pick: <T>(name: string, values: readonly T[]) => values[Math.floor(draw(name) * values.length)]!,
    /** An endless sequence, for the product's own randomness. */
    sequence,
  };
}

export type Draws = ReturnType<typeof createDraws>;
