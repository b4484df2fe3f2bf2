/**
 * Who an exchange is evidence for. The call of a batch's first document keeps the exchange that `call.evidence` records, for all
 * that have no evidence of their own: so only an exchange that carried the first document may be kept there, and every
 * document that was in another, or in none, gets its own.
 */
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";

/** Records what is only assigned once the answer is known. */
export interface Tape extends CallRecorder {
  playTo(recorder: CallRecorder): void;
}

export function createTape(): Tape {
  const steps: ((recorder: CallRecorder) => void)[] = [];
  return {
    request: (sent) => void steps.push((recorder) => recorder.request(sent)),
    response: (received) => void steps.push((recorder) => recorder.response(received)),
    failed: (cause) => void steps.push((recorder) => recorder.failed(cause)),
    playTo(recorder) {
      for (const step of steps) step(recorder);
    },
  };
}

/** Keeps the exchange on `tape` for the documents of the batch at `places`, which it carried together. */
export function keepFor(call: CallContext, places: readonly number[], tape: Tape): void {
  const [first, ...others] = places;
  if (first === undefined) return;
  tape.playTo(places.includes(0) ? call.evidence : call.evidenceOf(first, ...others));
}

/** The document at `place` was in no exchange: the one of the others is none of its evidence. */
export function keepNothingFor(call: CallContext, place: number): void {
  call.evidenceOf(place);
}
