/** Runs the conformance suite on the adapter: `node --test examples/adapter/my-adapter.test.js`. */
import { test } from "node:test";
import { describeAdapter, nobodyListens } from "fiscal/adapter-test";
import { REFUSAL, startFakeProvider, TOKEN } from "./fake-provider.js";
import { createImaginary } from "./my-adapter.js";

const cases = describeAdapter({
  name: "my-adapter",
  credentials: { token: TOKEN },
  createAdapter: (host, { url }) => createImaginary(host, { testUrl: url, liveUrl: "https://live.invalid" }),
  scenes: {
    issues: () => startFakeProvider(),
    accepts: () => startFakeProvider({ behavior: "pending" }),
    rejects: async () => ({ ...(await startFakeProvider({ behavior: "reject" })), refusal: REFUSAL }),
    refusesCredentials: () => startFakeProvider({ token: "another-token" }),
    unreachable: () => nobodyListens(),
    slow: () => startFakeProvider({ behavior: "silent" }),
    cutsBefore: () => startFakeProvider({ behavior: "cut before" }),
    cutsAfter: () => startFakeProvider({ behavior: "cut after" }),
    garbled: () => startFakeProvider({ behavior: "garbled" }),
    fails: () => startFakeProvider({ behavior: "500" }),
  },
});

for (const { name, run } of cases) test(name, run);
