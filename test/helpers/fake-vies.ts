/**
 * Fakes the EU's registry of VAT numbers (docs/eu-registry.md) on a free port of this machine. The test numbers 100
 * to 601 trigger their scenarios in every country; other numbers answer as registered. The test fails (`close`
 * throws) on an unknown method, path, header or field, on a prefix left before a number, and on unused faults.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createHost } from "./host.ts";
import {
  answerBody,
  type Asked,
  cut,
  errorBody,
  errorFault,
  type Fault,
  JOHN,
  keyOf,
  PATH,
  readQuestion,
  type Registration,
  sendJson,
  TEST_FAULTS,
} from "./fake-vies/wire.ts";

export type { Asked, Fault, Registration } from "./fake-vies/wire.ts";

export async function startFakeVies() {
  const asked: Asked[] = [];
  const problems: string[] = [];
  const faults: Fault[] = [];
  const registrations = new Map<string, Registration>();
  const disturbed = new Map<string, string>();
  const waiting: { count: number; resolve(): void }[] = [];
  let held: (() => void)[] = [];

  const host = createHost(serve, (error) => void problems.push(`the fake failed: ${String(error)}`));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = readQuestion(request, (await buffer(request)).toString());
    if (typeof question === "string") {
      problems.push(question);
      return sendJson(response, 400, errorBody("INVALID_INPUT"));
    }
    asked.push(question);
    for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
    await answer(question, response, faults.shift());
  }

  async function answer(question: Asked, response: ServerResponse, fault?: Fault): Promise<void> {
    if (fault?.kind === "held") await new Promise<void>((resolve) => held.push(resolve));
    const code = disturbed.get(question.countryCode);
    const told = fault ?? (code === undefined ? TEST_FAULTS[question.vatNumber] : errorFault(code));
    const body = answerBody(question, registrationOf(question));
    switch (told?.kind) {
      case undefined:
      case "held":
        return sendJson(response, 200, body);
      case "error":
        return sendJson(response, told.status ?? 200, errorBody(told.code));
      case "userError":
        return sendJson(response, 200, { ...body, valid: told.valid ?? false, userError: told.code });
      case "changed":
        return sendJson(response, told.status ?? 200, { ...body, ...told.fields });
      case "raw":
        response.writeHead(told.status ?? 200, told.headers ?? { "content-type": "text/html" });
        return void response.end(told.body);
      case "cut":
        return cut(response, told.at, JSON.stringify(body));
    }
  }

  function registrationOf(question: Asked): Registration | undefined {
    return question.vatNumber === "100" ? JOHN : registrations.get(keyOf(question));
  }

  await host.listen();
  return {
    /** The base URL. */
    url: host.origin() + PATH.slice(0, PATH.lastIndexOf("/")),
    /** The questions, in order of arrival. */
    asked,
    register: (countryCode: string, vatNumber: string, registration: Registration) =>
      void registrations.set(keyOf({ countryCode, vatNumber }), registration),
    /** Applies to the next question about any country; several apply in order. */
    next: (...more: Fault[]) => void faults.push(...more),
    /** From now on questions about the country receive the error; undefined ends that. */
    disturb(countryCode: string, code: string | undefined) {
      if (code === undefined) disturbed.delete(countryCode);
      else disturbed.set(countryCode, code);
    },
    /** Resolves after this many questions. */
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        if (asked.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    /** Responds to the requests held back. */
    release() {
      for (const resume of held) resume();
      held = [];
    },
    /** Refuses connections until `comeBack`. */
    goDown: host.stop,
    comeBack: host.listen,
    /** Throws if there are problems or unused faults. */
    async close() {
      for (const resume of held) resume();
      await host.close();
      const unmet = faults.map((fault) => `nothing met the fault ${JSON.stringify(fault)}`);
      const all = [...problems, ...unmet];
      if (all.length > 0) throw new Error(`The fake registry has problems:\n${all.join("\n")}`);
    },
  };
}
