import fc from "fast-check";
import { expect, test } from "vitest";
import { createSlots, type Slots } from "../../src/webhooks/delivery-claims.ts";

const QUICK_MS = 20;
const SLOW_MS = 5_000;

/** An endpoint with one finished exchange of this duration. */
function meet(slots: Slots, id: string, exchangeMs: number): void {
  slots.take(id, 1);
  slots.ended(id, exchangeMs);
}

test("an endpoint starts with one of sixteen slots, and gets half once it responds", () => {
  const slots = createSlots(16);
  expect(slots.free("a", "live")).toBe(1);
  meet(slots, "a", QUICK_MS);
  expect(slots.free("a", "live")).toBe(8);
  slots.take("a", 8);
  expect(slots.free("a", "live")).toBe(0);
});

test("slow endpoints share half equally, and a single one has all of it", () => {
  const slots = createSlots(16);
  meet(slots, "a", SLOW_MS);
  meet(slots, "b", SLOW_MS);
  expect(slots.free("a", "live")).toBe(8);
  slots.take("a", 3);
  expect(slots.free("b", "live")).toBe(4);
  slots.take("b", 4);
  expect(slots.free("a", "live")).toBe(1);
  expect(slots.free("c", "live", true)).toBe(1);
});

test("however many never answered before, a quarter is theirs, and those that respond have the rest", () => {
  const slots = createSlots(16);
  meet(slots, "quick", QUICK_MS);
  for (let count = 0; count < 90; count += 1) slots.take(`new-${count}`, slots.free(`new-${count}`, "live"));
  expect(slots.free("new-90", "live")).toBe(0);
  for (let count = 0; count < 20; count += 1)
    slots.take(`slow-${count}`, slots.free(`slow-${count}`, "live", true));
  expect(slots.free("quick", "live")).toBe(4);
});

test("test deliveries leave a quarter of the slots to live ones, also to new endpoints", () => {
  const slots = createSlots(16);
  for (const name of ["a", "b", "c"]) meet(slots, name, QUICK_MS);
  for (const name of ["a", "b", "c"]) slots.take(name, slots.free(name, "test"));
  expect(slots.free("d", "test")).toBe(0);
  expect(slots.free("e", "live")).toBe(1);
  meet(slots, "e", QUICK_MS);
  expect(slots.free("e", "live")).toBe(4);
});

test("however many are slow, half of the slots are left for the others", () => {
  const slots = createSlots(16);
  for (let slow = 0; slow < 20; slow += 1) meet(slots, `slow-${slow}`, SLOW_MS);
  for (let slow = 0; slow < 20; slow += 1) slots.take(`slow-${slow}`, slots.free(`slow-${slow}`, "live"));
  expect(slots.free("slow-0", "live")).toBe(0);
  expect(slots.free("new", "live")).toBe(1);
  meet(slots, "quick", QUICK_MS);
  expect(slots.free("quick", "live")).toBe(8);
});

test("one that fails quickly, or was not called at all, is not slow", () => {
  const slots = createSlots(16);
  meet(slots, "a", QUICK_MS);
  slots.take("a", 1);
  slots.ended("a", undefined);
  expect(slots.free("a", "live")).toBe(8);
});

test("one that was failing before this process started counts as slow", () => {
  const slots = createSlots(16);
  expect(slots.free("a", "live", true)).toBe(8);
  meet(slots, "b", SLOW_MS);
  slots.take("b", slots.free("b", "live"));
  expect(slots.free("a", "live", true)).toBe(0);
  expect(slots.free("new", "live")).toBe(1);
});

test("with a single slot, any endpoint can use it", () => {
  const slots = createSlots(1);
  expect(slots.free("a", "live")).toBe(1);
  slots.take("a", 1);
  expect(slots.free("b", "live")).toBe(0);
  expect(slots.isAnyFree()).toBe(false);
});

test("never exceeds the slots, and loses none", () => {
  const step = fc.record({ id: fc.integer({ min: 0, max: 5 }), ms: fc.constantFrom(QUICK_MS, SLOW_MS) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
      const slots = createSlots(total);
      const underWay: string[] = [];
      for (const { id, ms } of steps) {
        const name = `e${id}`;
        const free = slots.free(name, "live");
        slots.take(name, free);
        for (let taken = 0; taken < free; taken += 1) underWay.push(name);
        expect(underWay.length).toBeLessThanOrEqual(total);
        const ending = underWay.shift();
        if (ending !== undefined) slots.ended(ending, ms);
      }
      for (const name of underWay) slots.ended(name, QUICK_MS);
      expect(slots.isAnyFree()).toBe(true);
      expect(slots.free("e0", "live")).toBeGreaterThan(0);
    }),
  );
});
