/** The three built-in adapters pass the conformance suite for external adapters (docs/adapters.md). */
import { describe, test } from "vitest";
import { createProviderA } from "../../src/providers/provider-a/adapter.ts";
import { createRegistryDirect } from "../../src/providers/registry-direct/adapter.ts";
import { createSandbox } from "../../src/providers/sandbox/sandbox.ts";
import { type AdapterDescription, describeAdapter } from "../../src/providers/adapter-test/describe.ts";
import { openBench } from "../helpers/appliance.ts";
import {
  PROVIDER_A_CREDENTIALS,
  providerAScenes,
  REGISTRY_CREDENTIALS,
  registryScenes,
  sandboxScenes,
} from "../helpers/scenes.ts";
import { forAllTests } from "../helpers/set-up.ts";

const bench = forAllTests(openBench);
const store = () => bench.appliance.store;

const ADAPTERS: readonly AdapterDescription[] = [
  {
    name: "sandbox",
    provider: "sandbox",
    credentials: null,
    createAdapter: (_host, { url }) =>
      createSandbox({ store: store(), publicUrl: () => url, isStrict: false }),
    scenes: sandboxScenes(store),
  },
  {
    name: "registry_direct",
    provider: "registry_direct",
    credentials: REGISTRY_CREDENTIALS,
    createAdapter: ({ exchange }, { url }) =>
      createRegistryDirect({
        testUrl: url,
        liveUrl: "https://live.invalid",
        timeoutSeconds: 30,
        settleSeconds: 120,
        exchange,
      }),
    scenes: registryScenes(),
  },
  {
    name: "provider_a",
    provider: "provider_a",
    credentials: PROVIDER_A_CREDENTIALS,
    createAdapter: ({ exchange, today }, { url }) =>
      createProviderA({ testUrl: url, liveUrl: "https://live.invalid", timeoutSeconds: 30, exchange, today }),
    scenes: providerAScenes(),
  },
];

describe.each(ADAPTERS)("$name", (description) => {
  test.each(describeAdapter(description))("$name", ({ run }) => run());
});
