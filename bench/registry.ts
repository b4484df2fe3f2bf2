/** Measures draining one series through a slow tax authority: many documents per message compared with one. */
import { type Appliance, openAppliance } from "../src/appliance.ts";
import { loadConfig } from "../src/config/config.ts";
import { createConnection } from "../src/connections/connections.ts";
import { acceptDocument } from "../src/documents/accept.ts";
import { createExchange, type Exchange } from "../src/providers/exchange.ts";
import { createRegistryDirect } from "../src/providers/registry-direct/adapter.ts";
import { type FakeRegistry, startFakeRegistry } from "../test/helpers/fake-registry/server.ts";
import { buildBody, LOG, makeMerchant, TEST_CAUSE } from "./material.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, timed, withFolder } from "./rounds.ts";

const DOCUMENTS = 1000;
/** One by one, a thousand would take five minutes; every document takes the same time. */
const ONE_BY_ONE = 40;
/** A round takes half a minute. */
const ROUNDS = 2;
const LATENCY_MS = 300;
const ACCOUNT = { userId: "bench", key: "bench-key", vat: "123456783" };

/** With `exchange`, documents are sent one by one. */
async function open(folder: string, url: string, exchange: Exchange | undefined): Promise<Appliance> {
  const env = {
    HOME: folder,
    FISCAL_DATA_DIR: `${folder}/data`,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: url,
  };
  const config = loadConfig({ env, cwd: folder, flags: {} });
  if (exchange === undefined) return openAppliance({ config, log: LOG });
  const adapter = createRegistryDirect({ ...config.providers.registryDirect, exchange });
  return openAppliance({ config, log: LOG, adapters: [{ ...adapter, issueBatchMax: 1 }] });
}

/** Issues documents of one series. Throws if one was filed twice or not at all. */
async function drain(registry: FakeRegistry, documents: number, exchange?: Exchange): Promise<Sample> {
  return withFolder(async (folder) => {
    const filedBefore = registry.ledger.length;
    const appliance = await open(folder, registry.url, exchange);
    const merchant = await makeMerchant(appliance);
    const credentials = { user_id: ACCOUNT.userId, subscription_key: ACCOUNT.key };
    await createConnection(appliance, merchant, { provider: "registry_direct", credentials }, TEST_CAUSE);
    const bodies = Array.from({ length: documents }, (_, job) => buildBody(merchant, `job-${job}`));
    await Promise.all(bodies.map((body) => acceptDocument(appliance, body, TEST_CAUSE)));
    const perSecond = (documents / (await timed(() => appliance.issuing.settleAll()))) * 1000;
    await appliance.stop(0);
    const filed = registry.ledger.length - filedBefore;
    if (filed !== documents) throw new Error(`${filed} filings of ${documents} documents`);
    return { perSecond };
  });
}

export async function* benchRegistry({ share }: Effort): AsyncGenerator<Row> {
  const registry = await startFakeRegistry({ accounts: [ACCOUNT], latencyMs: LATENCY_MS });
  const exchange = createExchange();
  try {
    const measured = await alternate(ROUNDS, {
      oneByOne: () => drain(registry, ONE_BY_ONE * share, exchange),
      inMessages: () => drain(registry, DOCUMENTS * share),
    });
    yield rowOf(measured, {
      name: "registry",
      ours: "inMessages",
      reference: "oneByOne",
      about: `documents of one series over the tax authority (${LATENCY_MS} ms an answer), compared with one in a message`,
    });
  } finally {
    await exchange.close();
    await registry.close();
  }
}
