import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlaces, type Places } from "../../src/webhooks/delivery-slots.ts";

const QUICK_MS = 20;
const SLOW_MS = 5_000;

/** An endpoint that has ended one exchange in so long. */
function meet(places: Places, id: string, exchangeMs: number): void {
  places.take(id, 1);
  places.ended(id, exchangeMs);
}

test("an endpoint begins with one of sixteen places, and has half once it answers", () => {
  const places = createPlaces(16);
  expect(places.free("a")).toBe(1);
  meet(places, "a", QUICK_MS);
  expect(places.free("a")).toBe(8);
  places.take("a", 8);
  expect(places.free("a")).toBe(0);
});

test("the slow ones share half, equally; one alone has all of that", () => {
  const places = createPlaces(16);
  meet(places, "a", SLOW_MS);
  meet(places, "b", SLOW_MS);
  expect(places.free("a")).toBe(8);
  places.take("a", 3);
  expect(places.free("b")).toBe(4);
  places.take("b", 4);
  expect(places.free("a")).toBe(1);
  expect(places.free("c", true)).toBe(1);
});

test("however many are slow, half of the places are left for those that are not", () => {
  const places = createPlaces(16);
  for (let slow = 0; slow < 20; slow += 1) meet(places, `slow-${slow}`, SLOW_MS);
  for (let slow = 0; slow < 20; slow += 1) places.take(`slow-${slow}`, places.free(`slow-${slow}`));
  expect(places.free("slow-0")).toBe(0);
  expect(places.free("new")).toBe(1);
  meet(places, "quick", QUICK_MS);
  expect(places.free("quick")).toBe(8);
});

test("one that fails quickly, or was not asked at all, is not slow", () => {
  const places = createPlaces(16);
  meet(places, "a", QUICK_MS);
  places.take("a", 1);
  places.ended("a", undefined);
  expect(places.free("a")).toBe(8);
});

test("one that was failing before this process began is met as slow", () => {
  const places = createPlaces(16);
  expect(places.free("a", true)).toBe(8);
  meet(places, "b", SLOW_MS);
  places.take("b", 8);
  expect(places.free("a", true)).toBe(0);
  expect(places.free("new")).toBe(1);
});

test("with one place in all there is one for anybody", () => {
  const places = createPlaces(1);
  expect(places.free("a")).toBe(1);
  places.take("a", 1);
  expect(places.free("b")).toBe(0);
  expect(places.isAnyFree()).toBe(false);
});

test("never more are under way than there are places, and none is lost", () => {
  const step = fc.record({ id: fc.integer({ min: 0, max: 5 }), ms: fc.constantFrom(QUICK_MS, SLOW_MS) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
      const places = createPlaces(total);
      const underWay: string[] = [];
      for (const { id, ms } of steps) {
        const name = `e${id}`;
        const free = places.free(name);
        places.take(name, free);
        for (let taken = 0; taken < free; taken += 1) underWay.push(name);
        expect(underWay.length).toBeLessThanOrEqual(total);
        const ending = underWay.shift();
        if (ending !== undefined) places.ended(ending, ms);
      }
      for (const name of underWay) places.ended(name, QUICK_MS);
      expect(places.isAnyFree()).toBe(true);
      expect(places.free("e0")).toBeGreaterThan(0);
    }),
  );
});
