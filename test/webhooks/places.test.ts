import fc from "fast-check";
import { expect, test } from "vitest";
import { createPlaces } from "../../src/webhooks/places.ts";

const QUICK_MS = 20;
const SLOW_MS = 5_000;

/** An endpoint that has answered quickly once. */
function makeQuick(places: ReturnType<typeof createPlaces>, id: string): void {
  places.take(id, 1);
  places.ended(id, QUICK_MS, true);
}

test("an endpoint begins with two of sixteen places, has half once it answers, and two again once it is slow", () => {
  const places = createPlaces(16);
  expect(places.free("a")).toBe(2);
  makeQuick(places, "a");
  expect(places.free("a")).toBe(8);
  places.take("a", 8);
  expect(places.free("a")).toBe(0);
  places.ended("a", SLOW_MS, true);
  expect(places.free("a")).toBe(0);
  places.giveBack("a", 7);
  expect(places.free("a")).toBe(2);
  places.take("a", 1);
  places.ended("a", QUICK_MS, false);
  expect(places.free("a")).toBe(2);
});

test("however many are slow, half of the places are left for those that are not", () => {
  const places = createPlaces(16);
  for (let slow = 0; slow < 20; slow += 1) places.take(`slow-${slow}`, places.free(`slow-${slow}`));
  expect(places.free("slow-x")).toBe(0);
  makeQuick(places, "quick");
  expect(places.free("quick")).toBe(8);
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
        if (ending !== undefined) places.ended(ending, ms, true);
      }
      for (const name of underWay) places.ended(name, QUICK_MS, true);
      expect(places.isAnyFree()).toBe(true);
      expect(places.free("e0")).toBeGreaterThan(0);
    }),
  );
});
