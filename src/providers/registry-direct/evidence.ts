/**
 * Assigns an exchange to the documents it carried. The log entry of a batch's first document holds the exchange
 * recorded by `call.evidence`, for every document without evidence of its own. So only an exchange that carried the
 * first document may be recorded there; documents sent in another exchange, or in none, get their own evidence.
 */
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";

/** Records an exchange that is assigned to documents once the response is known. */
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

/** Records the exchange on `tape` for the documents at `places`, which it carried together. */
export function recordExchange(call: CallContext, places: readonly number[], tape: Tape): void {
  const [first, ...others] = places;
  if (first === undefined) return;
  tape.playTo(places.includes(0) ? call.evidence : call.evidenceOf(first, ...others));
}

/** Records that the document at `place` was in no exchange, so that it does not share the others' evidence. */
export function recordNoExchange(call: CallContext, place: number): void {
  call.evidenceOf(place);
}
