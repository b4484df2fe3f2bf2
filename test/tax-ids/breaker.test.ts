import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit, type Circuit, CLOSED, type CircuitOutcome, settle } from "../../src/tax-ids/lookup-gate.ts";

const NOW_MS = 1_700_000_000_000;

/** Five failures in a row, at `NOW_MS`. */
function openCircuit(): Circuit {
  let circuit = CLOSED;
  for (let failure = 0; failure < 5; failure += 1) circuit = settle(circuit, "failed", false, NOW_MS);
  return circuit;
}

/** The circuit during a probe. */
function probe(circuit: Circuit, nowMs: number): Circuit {
  const admission = admit(circuit, nowMs);
  if (!admission.isAdmitted || !admission.isProbe) throw new Error("no probe was admitted");
  return admission.circuit;
}

describe("a circuit", () => {
  test("admits queries until five have failed in a row, then none for 30 seconds", () => {
    let circuit = CLOSED;
    for (let failure = 1; failure <= 4; failure += 1) {
      circuit = settle(circuit, "failed", false, NOW_MS);
      expect(admit(circuit, NOW_MS)).toMatchObject({ isAdmitted: true, isProbe: false });
    }
    circuit = settle(circuit, "failed", false, NOW_MS);
    expect(admit(circuit, NOW_MS)).toEqual({ isAdmitted: false, retryAfterMs: 30_000 });
    expect(admit(circuit, NOW_MS + 29_999)).toEqual({ isAdmitted: false, retryAfterMs: 1 });
    expect(admit(circuit, NOW_MS + 30_000)).toMatchObject({ isAdmitted: true, isProbe: true });
  });

  test("restarts counting after an answer, and ignores inconclusive results", () => {
    let circuit = CLOSED;
    const outcomes: CircuitOutcome[] = [
      "failed",
      "failed",
      "failed",
      "failed",
      "worked",
      "failed",
      "neither",
      "failed",
    ];
    for (const outcome of outcomes) circuit = settle(circuit, outcome, false, NOW_MS);
    expect(circuit).toEqual({ state: "closed", failures: 2 });
  });

  test("admits a single probe, and closes if it is answered", () => {
    const probing = probe(openCircuit(), NOW_MS + 30_000);
    expect(admit(probing, NOW_MS + 30_000)).toMatchObject({ isAdmitted: false });
    expect(settle(probing, "worked", true, NOW_MS + 31_000)).toEqual(CLOSED);
  });

  test("stays open twice as long after each failed probe, up to five minutes", () => {
    let circuit = openCircuit();
    let nowMs = NOW_MS;
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const admission = admit(circuit, nowMs);
      if (admission.isAdmitted) throw new Error("it is open");
      waits.push(admission.retryAfterMs / 1000);
      nowMs += admission.retryAfterMs;
      circuit = settle(probe(circuit, nowMs), "failed", true, nowMs);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
  });

  test("admits another probe immediately after an inconclusive one", () => {
    const after = settle(probe(openCircuit(), NOW_MS + 30_000), "neither", true, NOW_MS + 31_000);
    expect(admit(after, NOW_MS + 31_000)).toMatchObject({ isAdmitted: true, isProbe: true });
  });

  test("ignores failures of queries sent before it opened", () => {
    const open = openCircuit();
    expect(settle(open, "failed", false, NOW_MS + 5_000)).toEqual(open);
    const probing = probe(open, NOW_MS + 30_000);
    expect(settle(probing, "failed", false, NOW_MS + 30_001)).toEqual(probing);
  });

  test("closes if a query sent before it opened is answered", () => {
    expect(settle(openCircuit(), "worked", false, NOW_MS + 1)).toEqual(CLOSED);
  });

  test("admits a probe after the clock was set back", () => {
    expect(admit(openCircuit(), NOW_MS - 3_600_000)).toMatchObject({ isAdmitted: true, isProbe: true });
  });

  test("never admits two probes at once, and never refuses for more than five minutes", () => {
    const step = fc.record({
      outcome: fc.constantFrom<CircuitOutcome>("worked", "failed", "failed", "failed", "neither"),
      passesMs: fc.integer({ min: 0, max: 120_000 }),
      isAsking: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let circuit: Circuit = openCircuit();
        let nowMs = NOW_MS;
        let probes = 0;
        for (const { outcome, passesMs, isAsking } of steps) {
          nowMs += passesMs;
          if (isAsking) {
            const admission = admit(circuit, nowMs);
            if (!admission.isAdmitted) {
              expect(admission.retryAfterMs).toBeGreaterThan(0);
              expect(admission.retryAfterMs).toBeLessThanOrEqual(300_000);
              continue;
            }
            circuit = admission.circuit;
            if (admission.isProbe) probes += 1;
            expect(probes).toBeLessThanOrEqual(1);
          } else if (probes === 1) {
            circuit = settle(circuit, outcome, true, nowMs);
            probes = 0;
            expect(circuit.state).toBe(outcome === "worked" ? "closed" : "open");
          } else {
            circuit = settle(circuit, outcome, false, nowMs);
          }
        }
      }),
    );
  });
});
