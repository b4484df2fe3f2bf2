/**
 * A circuit breaker per provider and mode: while the provider is unavailable, documents wait instead of using up their attempts.
 * Its state lives as long as the process.
 */
import type { Mode, Provider } from "../../storage/stored-values.ts";

/** Unanswered groups in a row before the breaker opens: fewer may be single broken connections. */
const FAILURES_MAX = 5;
const OPEN_MS_MIN = 5_000;
const OPEN_MS_MAX = 60_000;
/** Cap on the pause that a provider may request. */
const RETRY_AFTER_MS_MAX = 3_600_000;

interface Circuit {
  failures: number;
  /** When the next group may go; 0 while the breaker is closed. */
  openUntilMs: number;
  openMs: number;
  /** One group is testing whether the provider is back. */
  isProbing: boolean;
}

export interface Breaker {
  /** The modes that may be used now. After its pause, an open breaker lets one group through as a test. */
  openModes(provider: Provider, nowMs: number): readonly Mode[];
  /** Whether only one group may go now, as a test. */
  isProbe(provider: Provider, mode: Mode): boolean;
  /** A group was claimed. */
  began(provider: Provider, mode: Mode): void;
  /** The provider answered, with whatever outcome. */
  answered(provider: Provider, mode: Mode): void;
  /** The provider did not answer, or requested a pause. */
  failed(provider: Provider, mode: Mode, nowMs: number, retryAfterMs: number | undefined): void;
}

export function createBreaker(modes: readonly Mode[]): Breaker {
  const circuits = new Map<string, Circuit>();

  function circuitOf(provider: Provider, mode: Mode): Circuit {
    const name = `${provider} ${mode}`;
    let circuit = circuits.get(name);
    if (circuit === undefined) {
      circuit = { failures: 0, openUntilMs: 0, openMs: OPEN_MS_MIN, isProbing: false };
      circuits.set(name, circuit);
    }
    return circuit;
  }

  return {
    openModes: (provider, nowMs) =>
      modes.filter((mode) => {
        const circuit = circuits.get(`${provider} ${mode}`);
        if (circuit === undefined || circuit.openUntilMs === 0) return true;
        // An end beyond the longest pause means that the clock was set back.
        const isOver = nowMs >= circuit.openUntilMs || circuit.openUntilMs - nowMs > RETRY_AFTER_MS_MAX;
        return isOver && !circuit.isProbing;
      }),
    isProbe: (provider, mode) => circuitOf(provider, mode).openUntilMs !== 0,
    began(provider, mode) {
      const circuit = circuitOf(provider, mode);
      if (circuit.openUntilMs !== 0) circuit.isProbing = true;
    },
    answered(provider, mode) {
      circuits.delete(`${provider} ${mode}`);
    },
    failed(provider, mode, nowMs, retryAfterMs) {
      const circuit = circuitOf(provider, mode);
      circuit.failures += 1;
      circuit.isProbing = false;
      const wasOpen = circuit.openUntilMs !== 0;
      if (retryAfterMs === undefined && !wasOpen && circuit.failures < FAILURES_MAX) return;
      if (wasOpen) circuit.openMs = Math.min(OPEN_MS_MAX, circuit.openMs * 2);
      const pauseMs = Math.max(circuit.openMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
      circuit.openUntilMs = Math.max(circuit.openUntilMs, nowMs + pauseMs);
    },
  };
}
