/**
 * A data directory in which the examples of the help work unchanged: the merchant `shop` with issued, rejected and
 * failed documents, a column map, a key, another merchant's connection, logged requests, a webhook endpoint, and the
 * files that the examples name. The network is faked: the authority, the licensed provider, the EU registry.
 */
import { copyFile, cp, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startFakeProviderA } from "./fake-provider-a.ts";
import { type FakeRegistry, startFakeRegistry } from "./fake-registry/server.ts";
import { startFakeVies } from "./fake-vies.ts";
import { mailSettings, startMailServer } from "./mail-server.ts";
import { openWorkshop, type Workshop } from "./program.ts";
import { signatureHeaders } from "../../src/webhooks/signature.ts";
import { addShop, invoice, lines, receipt, SUPPLIER } from "./receipts.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../examples");
/** The content of `user.txt` and `key.txt`, for both providers. */
export const USER = "shop-rest-user";
export const KEY = "key-of-the-shop-4711";
const EMAIL = "me@example.com";
export const WRAPP_USER = "user-4711";
/** The document that the examples have rejected on purpose. */
const REFUSED_ROWS = /^2026-012,.*\n/gm;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"id":"evt_1","object":"event"}';
/** A closed port of this machine. */
const NOWHERE = "http://127.0.0.1:1";

export async function openPrepared() {
  const network = await openNetwork();
  const workshop = await openWorkshop();
  const { env } = network;
  await writeFiles(workshop.folder);
  await addShop(workshop);
  await fill(workshop, env);
  const ids = await collectIds(workshop, env);
  await workshop.runBare(["backup", "fiscal-yesterday.db"], { env });
  return {
    env,
    /** Real values for abbreviated words that end in `…`, mostly ids, by their prefix: `doc_`. */
    ids,
    /** A copy in which to run one example. */
    async copy() {
      const own = await openWorkshop();
      await cp(workshop.folder, own.folder, { recursive: true });
      return own;
    },
    async close() {
      await workshop.close();
      await network.close();
    },
  };
}

const ADDRESS = { city: "ΑΘΗΝΑ", address: "ΕΡΜΟΥ", street_number: "1", postal_code: "10563" };

/** Every URL that a command may call, in both modes. `direct` is the tax number of the account at the authority. */
export async function openNetwork(direct = SUPPLIER) {
  const registry = await startFakeRegistry({
    accounts: [{ userId: USER, key: KEY, vat: direct }],
  });
  fileInvoiceOfAnotherProgram(registry, direct);
  const account = {
    tenants: [{ apiKey: KEY, email: EMAIL, userId: WRAPP_USER, vat: SUPPLIER }],
    taxpayers: {
      "094012834": { name: "ΠΑΡΑΔΕΙΓΜΑ ΠΕΛΑΤΗΣ ΑΕ", ...ADDRESS },
      "094064321": { name: "ΔΕΙΓΜΑ ΠΕΛΑΤΗΣ ΟΕ", ...ADDRESS },
    },
  };
  const provider = await startFakeProviderA(account);
  const vies = await startFakeVies();
  vies.register("EL", SUPPLIER, { name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ", address: "ΣΤΑΔΙΟΥ 5" });
  const mail = await startMailServer();
  const env = {
    FISCAL_DATA_DIR: "data",
    // One attempt, so that undeliverable documents fail at once.
    FISCAL_ISSUING__DELAYS_SECONDS: "0",
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: registry.url,
    FISCAL_PROVIDERS__PROVIDER_A__TEST_URL: provider.url,
    FISCAL_PROVIDERS__PROVIDER_A__LIVE_URL: provider.url,
    FISCAL_TAX_IDS__REGISTRY_URL: vies.url,
    ...mailSettings(mail),
  };
  return {
    env,
    /** The licensed provider's account and lookups. */
    account,
    close: async () =>
      void (await Promise.all([registry.close(), provider.close(), vies.close(), mail.close()])),
  };
}

/** An invoice that is not issued here, for `documents credit --mark`. */
function fileInvoiceOfAnotherProgram({ ledger }: FakeRegistry, vat: string): void {
  const line =
    "<lineNumber>1</lineNumber><netValue>100.00</netValue><vatCategory>1</vatCategory><vatAmount>24.00</vatAmount>";
  ledger.push({
    vat,
    branch: "0",
    date: "2025-01-15",
    type: "1.1",
    series: "X",
    aa: "1",
    uid: "A".repeat(40),
    mark: "400001234567890",
    net: "100.00",
    gross: "124.00",
    taxSums: {},
    counterpart: "094012834",
    transmissionFailure: null,
    correlated: [],
    boxes: {},
    cancelledByMark: null,
    isReplaced: false,
    listedAtMs: 0,
    sent: {
      counterpart:
        "<counterpart><vatNumber>094012834</vatNumber><country>GR</country><branch>0</branch></counterpart>",
      paymentMethods: "",
      invoiceDetails: `<invoiceDetails>${line}</invoiceDetails>`,
    },
  });
}

async function writeFiles(folder: string): Promise<void> {
  await copyFile(join(EXAMPLES, "document.json"), join(folder, "document.json"));
  const table = await readFile(join(EXAMPLES, "documents.csv"), "utf8");
  await writeFile(join(folder, "documents.csv"), table.replace(REFUSED_ROWS, ""));
  await writeFile(
    join(folder, "settings.json"),
    '{ "numbering": { "1.1": { "series": "A", "next_number": 7 } } }',
  );
  await writeFile(join(folder, "map.toml"), '[defaults]\ntype = "11.1"\n');
  await writeFile(join(folder, "secret.txt"), `${SECRET}\n`);
  await writeFile(join(folder, "body.json"), BODY);
  await writeFile(join(folder, "passphrase.txt"), "a passphrase of some length\n");
  await writeCredentials(folder);
}

/** The headers of a delivery at the time in the example, with the secret of `secret.txt` and the body of `body.json`. */
function signDelivery(): string {
  const atSeconds = Date.parse("2025-11-02T08:30:00Z") / 1000;
  const headers = signatureHeaders([SECRET], { id: "evt_1", body: BODY, atSeconds });
  return headers["service-signature"] ?? "";
}

/** Typed when the prompts ask for the credentials of `registry_direct`. */
export const CREDENTIALS = {
  "User name of the myDATA REST API": `${USER}\r`,
  "Subscription key": `${KEY}\r`,
};

/** Writes `user.txt` and `key.txt`. */
export async function writeCredentials(folder: string): Promise<void> {
  await writeFile(join(folder, "user.txt"), `${USER}\n`);
  await writeFile(join(folder, "key.txt"), `${KEY}\n`);
}

async function fill(workshop: Workshop, env: Record<string, string>): Promise<void> {
  const map = ["--map", "map.toml", "--remember-map"];
  await workshop.runBare(["documents", "issue", "documents.csv", "--merchant", "shop", ...map], { env });
  const rejected = { ...invoice("2026-015"), metadata: { sandbox: "rejected" } };
  await workshop.runBare(["documents", "issue", "-", "--merchant", "shop"], {
    env,
    stdin: lines([rejected]),
  });
  await addShop(workshop, "harbour");
  const credentials = ["--user-id-file", "user.txt", "--subscription-key-file", "key.txt"];
  const connection = ["--merchant", "harbour", "--provider", "registry_direct", ...credentials];
  await workshop.runBare(["connections", "add", ...connection], { env });
  await fail(workshop, { ...env, FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: NOWHERE });
  const key = await workshop.runBare(["keys", "create", "--mode", "test", "--name", "web shop"], { env });
  await logRequest(workshop, env, key.stdout.trim());
  const endpoint = ["webhooks", "add", "--url", `${NOWHERE}/webhooks`, "--events", "*"];
  await workshop.runBare(endpoint, { env });
}

/** A document that could not be delivered, but can be once the provider is available again. */
async function fail(workshop: Workshop, env: Record<string, string>): Promise<void> {
  const args = ["documents", "issue", "-", "--merchant", "harbour", "--provider", "registry_direct"];
  await workshop.runBare(args, { env, stdin: lines([receipt("2026-014")]) });
}

/** A request through the server, so that the log has an entry. */
async function logRequest(workshop: Workshop, env: Record<string, string>, key: string): Promise<void> {
  await workshop.runBare(["serve", "--port", "0"], {
    env,
    onOutput(text, program) {
      const [url] = /http:\S+(?=\n)/.exec(text) ?? [];
      if (!text.startsWith("fiscal listens on") || url === undefined) return;
      void fetch(`${url}/api/v1/merchants`, { headers: { authorization: `Bearer ${key}` } })
        .then((response) => response.text())
        .finally(() => program.interrupt());
    },
  });
}

const LISTED = ["documents", "connections", "events", "calls", "requests", "merchants", "keys", "webhooks"];

async function collectIds(workshop: Workshop, env: Record<string, string>): Promise<Map<string, string>> {
  const ids = new Map([["t=…,v1=", signDelivery()]]);
  for (const noun of LISTED) {
    const run = await workshop.runBare([noun, "list", "--json"], { env });
    for (const { id, request_id: requestId } of run.json<{ data: Named[] }>().data) {
      ids.set(id.slice(0, id.indexOf("_") + 1), id);
      if (requestId !== undefined) ids.set("req_", requestId);
    }
  }
  return ids;
}

interface Named {
  id: string;
  request_id?: string;
}
