/**
 * A circuit breaker for each provider and mode: when nothing gets through to it, documents wait instead of using up their
 * attempts one after the other. Pure but for what it remembers; it lives as long as the process.
 */
import type { Mode, Provider } from "../../storage/stored-values.ts";

/** So many groups without any answer in a row: fewer are the bad luck of single connections. */
const FAILURES_MAX = 5;
const OPEN_MS_MIN = 5_000;
const OPEN_MS_MAX = 60_000;
/** What a provider asks for counts, but no longer than this. */
const ASKED_MS_MAX = 3_600_000;

interface Circuit {
  failures: number;
  /** Nothing is sent before this instant; 0 while it is closed. */
  openUntilMs: number;
  openMs: number;
  /** One group is on its way to see whether it works again. */
  isProbing: boolean;
}

export interface Breaker {
  /** Modes of the provider that may be sent to now. A mode that was shut lets one group through, to see. */
  openModes(provider: Provider, nowMs: number): readonly Mode[];
  /** Whether only one group may go now. */
  isProbe(provider: Provider, mode: Mode): boolean;
  /** A group was claimed for it. */
  began(provider: Provider, mode: Mode): void;
  /** Something came back from the provider, whatever it was. */
  answered(provider: Provider, mode: Mode): void;
  /** Nothing came back, or the provider asked for a pause. */
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
        // Further off than anything is ever shut: the clock was set back.
        const isOver = nowMs >= circuit.openUntilMs || circuit.openUntilMs - nowMs > ASKED_MS_MAX;
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
      const pauseMs = Math.max(circuit.openMs, Math.min(retryAfterMs ?? 0, ASKED_MS_MAX));
      circuit.openUntilMs = Math.max(circuit.openUntilMs, nowMs + pauseMs);
    },
  };
}
