/** Opens an appliance whose merchant is connected to the fake of the licensed provider, only by configuring its URL. */
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { createConnection } from "../../src/connections/connections.ts";
import type { ConnectionObject } from "../../src/issuing/connection-status.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import type { DocumentType } from "../../src/domain/canonical-document.ts";
import { type Bench, CAUSE, openBench } from "./appliance.ts";
import { buildDocument, type DocumentInput } from "./documents.ts";
import { type FakeOptions, startFakeProviderA } from "./fake-provider-a.ts";

const TENANT = {
  /** Contains characters that JSON, forms and URLs encode differently. */
  apiKey: "sk/Synthetic+Key=4711",
  email: "shop@example.gr",
  userId: "user-4711",
  vat: "123456783",
};

/** The bench's clock starts on this day. */
export const TODAY = "2026-11-21";

const BRANCHES = [{ id: "branch-at-the-harbour", name: "Πειραιάς", code: 2 }];

/** The Greek customer of test documents. */
const TAXPAYER = {
  name: "ΠΑΡΑΔΕΙΓΜΑ ΠΕΛΑΤΗΣ ΑΕ",
  city: "ΑΘΗΝΑ",
  address: "ΕΡΜΟΥ",
  street_number: "1",
  postal_code: "10563",
};

const readCalls = ({ appliance }: Bench) =>
  appliance.store.read.query((db) => db.selectFrom("provider_calls").selectAll().orderBy("id"));

interface ProviderABenchOptions extends Partial<Omit<FakeOptions, "tenants" | "nowMs">> {
  env?: Record<string, string>;
}

const STEP_MS = 31_000;
/** Two hours: four attempts and confirming an absence take some minutes. */
const STEPS_MAX = 240;

export async function openProviderABench(options: ProviderABenchOptions = {}) {
  const { env, ...fakeOptions } = options;
  let readClock = (): number => Date.parse(`${TODAY}T09:00:00.000Z`);
  const fake = await startFakeProviderA({
    taxpayers: { "094012834": TAXPAYER },
    ...fakeOptions,
    tenants: [{ ...TENANT, branches: BRANCHES }],
    nowMs: () => readClock(),
  });
  const bench = await openBench({ env: { FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: fake.url, ...env } });
  const { appliance } = bench;
  readClock = () => appliance.clock.nowMs();
  const merchant = await bench.makeMerchant();

  async function processAll(ids: readonly string[]): Promise<DocumentObject[]> {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      await appliance.issuing.rescue();
      await bench.settle();
      const documents = await Promise.all(ids.map(bench.see));
      if (documents.every(({ status }) => status !== "pending")) return documents;
      bench.advance(STEP_MS);
    }
    throw new Error("Documents are still pending after two hours");
  }

  /** Accepts a document dated today and returns its id. `extra` is added to the request, outside the document. */
  async function accept(
    type: DocumentType = "1.1",
    overrides: Partial<DocumentInput> = {},
    extra: Record<string, unknown> = {},
  ): Promise<string> {
    const document = buildDocument(type, { issue_date: TODAY, ...overrides });
    return (await acceptDocument(appliance, { merchant, document, ...extra }, CAUSE)).id;
  }

  return {
    ...bench,
    fake,
    merchant,
    accept,
    /** Accepts a document, and processes it until it would have to wait. */
    async issue(...document: Parameters<typeof accept>) {
      const id = await accept(...document);
      await bench.settle();
      return id;
    },
    /** The routes of the requests to the provider from index `start` on. */
    asked: (start = 0) => fake.requests.slice(start).map(({ route }) => route),
    async connect() {
      const credentials = { api_key: TENANT.apiKey, provider_user_id: TENANT.userId };
      const body = { provider: "provider_a", credentials };
      const { json } = await createConnection(appliance, merchant, body, CAUSE);
      return JSON.parse(json) as ConnectionObject;
    },
    get: bench.see,
    /** Advances the clock and runs the queue as a server does until none of `ids` is pending; throws if that takes too long. */
    processAll,
    /** Every provider call, oldest first. */
    calls: () => readCalls(bench),
    /** Closes both; the fake throws if it has problems. */
    async close() {
      await bench.close();
      await fake.close();
    },
  };
}
