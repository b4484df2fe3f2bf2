/** A shop whose commands reach a fake of the authority, with its credentials in their environment. */
import { type FakeRegistry, startFakeRegistry } from "./fake-registry/server.ts";
import { openWorkshop } from "./program.ts";
import { addShop, SUPPLIER } from "./receipts.ts";

/** The arguments that connect the shop. */
export const CONNECT_SHOP = ["connections", "add", "--merchant", "shop", "--provider", "registry_direct"];

/** Connected in test mode. A `registry` that is given is not closed with the shop. */
export async function openRegisteredShop({ registry }: { registry?: FakeRegistry } = {}) {
  const account = { userId: "user", key: "key-4711", vat: SUPPLIER };
  const authority = registry ?? (await startFakeRegistry({ accounts: [account] }));
  const workshop = await openWorkshop({
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: authority.url,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: authority.url,
    FISCAL_CREDENTIAL_USER_ID: account.userId,
    FISCAL_CREDENTIAL_SUBSCRIPTION_KEY: account.key,
  });
  await addShop(workshop);
  await workshop.run(CONNECT_SHOP);
  return {
    ...workshop,
    registry: authority,
    async close() {
      await workshop.close();
      if (registry === undefined) await authority.close();
    },
  };
}
