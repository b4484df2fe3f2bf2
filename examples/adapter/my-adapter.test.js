/** The conformance suite over the adapter: `node --test examples/adapter/my-adapter.test.js`. */
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
    accepts: () => startFakeProvider({ habit: "pending" }),
    rejects: async () => ({ ...(await startFakeProvider({ habit: "reject" })), refusal: REFUSAL }),
    refusesCredentials: () => startFakeProvider({ token: "another-token" }),
    unreachable: () => nobodyListens(),
    slow: () => startFakeProvider({ habit: "silent" }),
    cutsBefore: () => startFakeProvider({ habit: "cut before" }),
    cutsAfter: () => startFakeProvider({ habit: "cut after" }),
    garbled: () => startFakeProvider({ habit: "garbled" }),
    fails: () => startFakeProvider({ habit: "500" }),
  },
});

for (const { name, run } of cases) test(name, run);
