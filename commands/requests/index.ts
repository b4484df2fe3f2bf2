/** `fiscal requests`: the log of API requests. */
import type { Trace } from "../../src/documents/trace-request.ts";
import { listRequests, traceRequest } from "../../src/operations/logs.ts";
import { noun } from "../define.ts";
import { tailOf } from "../tails.ts";
import { type Given, verbOf } from "../verb.ts";

export const defineRequests = noun(
  [
    tailOf(listRequests),
    verbOf("list", listRequests),
    verbOf("show", traceRequest, {
      print: async (trace: Trace, given: Given) => (await import("./show.ts")).showTrace(trace, given),
    }),
  ],
  "fiscal requests list --status 400",
  "fiscal requests show req_…",
);
