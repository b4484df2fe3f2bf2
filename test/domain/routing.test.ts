import { describe, expect, test } from "vitest";
import { chooseRoute, type Route, type RouteRequest } from "../../src/domain/routing.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";

const DIRECT = { id: "con_0000000000000000000001", provider: "registry_direct" } as const;
const LICENSED = { id: "con_0000000000000000000002", provider: "provider_a" } as const;
const FOREIGN = { id: "con_0000000000000000000003", provider: "provider_b" } as const;

/** An appliance with adapters for the registry and provider_a, but not for provider_b. */
function question(overrides: Partial<RouteRequest>): RouteRequest {
  return {
    mode: "test",
    requested: undefined,
    merchantArchived: false,
    connections: [],
    isSupported: (provider) => provider === "registry_direct" || provider === "provider_a",
    ...overrides,
  };
}

const SANDBOX: Route = { provider: "sandbox", connectionId: null };
const OVER_DIRECT: Route = { provider: "registry_direct", connectionId: DIRECT.id };
const OVER_LICENSED: Route = { provider: "provider_a", connectionId: LICENSED.id };

type Connections = RouteRequest["connections"];

/** docs/contract.md#routing */
describe("a document is sent to", () => {
  test.each<[mode: Mode, requested: Provider | undefined, connections: Connections, route: Route]>([
    ["test", undefined, [], SANDBOX],
    ["test", "sandbox", [], SANDBOX],
    ["test", "sandbox", [DIRECT, LICENSED], SANDBOX],
    ["test", undefined, [DIRECT], OVER_DIRECT],
    ["live", undefined, [DIRECT], OVER_DIRECT],
    ["live", undefined, [LICENSED], OVER_LICENSED],
    ["live", "registry_direct", [DIRECT], OVER_DIRECT],
    ["live", "provider_a", [DIRECT, LICENSED], OVER_LICENSED],
    ["test", "registry_direct", [FOREIGN, LICENSED, DIRECT], OVER_DIRECT],
  ])("with a %s key asking for %s, connections %j", (mode, requested, connections, route) => {
    expect(chooseRoute(question({ mode, requested, connections }))).toEqual(route);
  });
});

function refusal(overrides: Partial<RouteRequest>): unknown {
  try {
    return chooseRoute(question(overrides));
  } catch (error) {
    return error;
  }
}

describe("a document is rejected", () => {
  test.each<[why: string, overrides: Partial<RouteRequest>, code: string, says: string]>([
    [
      "the sandbox with a live key",
      { mode: "live", requested: "sandbox" },
      "not_supported",
      "never reaches the sandbox",
    ],
    [
      "a live key without a connection",
      { mode: "live" },
      "connection_unavailable",
      "no active connection in live mode",
    ],
    [
      "a provider without a connection and without an adapter",
      { requested: "provider_b", connections: [LICENSED] },
      "connection_unavailable",
      "no active connection to provider_b in test mode",
    ],
    [
      "a connection whose adapter is gone",
      { requested: "provider_b", connections: [FOREIGN] },
      "not_supported",
      "provider_b",
    ],
    ["the same where it is the only connection", { connections: [FOREIGN] }, "not_supported", "provider_b"],
    [
      "a provider without a connection",
      { requested: "registry_direct", connections: [LICENSED] },
      "connection_unavailable",
      "no active connection to registry_direct in test mode",
    ],
    [
      "several connections and no choice",
      { mode: "live", connections: [DIRECT, LICENSED] },
      "validation_failed",
      "provider: is required: the merchant has several connections (registry_direct, provider_a)",
    ],
    [
      "an archived merchant",
      { merchantArchived: true, connections: [DIRECT] },
      "connection_unavailable",
      "archived",
    ],
    ["an archived merchant in the sandbox", { merchantArchived: true }, "connection_unavailable", "archived"],
  ])("%s", (_why, overrides, code, says) => {
    const error = refusal(overrides);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code, retryable: false, message: expect.stringContaining(says) });
  });
});
