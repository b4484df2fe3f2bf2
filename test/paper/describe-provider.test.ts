/** The PDF names the way a document reached the authority. */
import { expect, test } from "vitest";
import { describeProvider } from "../../src/paper/document-pdf.ts";
import { PROVIDER_A } from "../../src/providers/provider-a/description.ts";
import { REGISTRY_DIRECT } from "../../src/providers/registry-direct/description.ts";
import { SANDBOX } from "../../src/providers/sandbox/scenes.ts";

test.each([
  ["sandbox", SANDBOX, "sandbox"],
  ["registry_direct", REGISTRY_DIRECT, "directly to the tax authority (AADE myDATA)"],
  ["provider_a", PROVIDER_A, "through an e-invoicing provider (Wrapp)"],
  ["provider_b", { ...PROVIDER_A, name: undefined }, "through an e-invoicing provider (provider_b)"],
  ["provider_b", undefined, "through an e-invoicing provider (provider_b)"],
] as const)("%s is described by its own description", (provider, description, text) => {
  expect(describeProvider(provider, description)).toHaveProperty("en", text);
});
