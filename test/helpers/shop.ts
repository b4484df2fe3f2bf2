/** A merchant and a key in the data directory of the built program, and the documents that a client posts to it. */
import { buildIssueBody, openBench } from "./appliance.ts";
import type { ProgramEnvironment } from "./server-process.ts";

export interface Shop {
  merchant: string;
  key: string;
}

export async function prepareShop(environment: ProgramEnvironment): Promise<Shop> {
  const bench = await openBench({ ...environment, startMs: Date.now() });
  const shop = { merchant: await bench.makeMerchant(), key: await bench.makeKey("test") };
  await bench.close();
  return shop;
}

export interface Posted {
  status: number;
  retryAfter: string | null;
  body: { data?: { id: string }; code?: string; message?: string; retryable?: boolean };
}

/** Posts the document `reference`, which is also its idempotency key. */
export async function postDocument(url: string, { merchant, key }: Shop, reference: string): Promise<Posted> {
  const response = await fetch(`${url}/api/v1/documents`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": reference,
    },
    body: JSON.stringify(buildIssueBody(merchant, { external_reference: reference })),
  });
  const body = (await response.json()) as Posted["body"];
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}
