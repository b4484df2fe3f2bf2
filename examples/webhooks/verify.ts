/**
 * Verifies the signature of a webhook delivery, in TypeScript (Node 22.18 or later; nothing to install).
 *
 *   FISCAL_WEBHOOK_SECRET=whsec_… node verify.ts "t=…,v1=…" < body.json
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { pathToFileURL } from "node:url";

const TOLERANCE_SECONDS = 300;
/** While secrets are being replaced, a delivery has a signature for each valid secret, at most eight. */
const SIGNATURES_MAX = 8;

/**
 * Whether the sender of `body` has `secret` and signed it just now. `header` is the value of service-signature. `body` must
 * be the raw bytes: parsing and serialising them again changes them.
 */
export function isGenuine(
  secret: string,
  header: string,
  body: Uint8Array,
  nowSeconds: number = Math.floor(Date.now() / 1000),
): boolean {
  const elements = header.split(",").map((element) => element.trim());
  const valuesOf = (name: string) =>
    elements.filter((element) => element.startsWith(name)).map((element) => element.slice(name.length));
  const [timestamp = ""] = valuesOf("t=");
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  // Recorded deliveries cannot be replayed later.
  if (Math.abs(nowSeconds - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  // The key is the complete text of the secret, including whsec_.
  const expected = Buffer.from(
    createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex"),
  );
  return valuesOf("v1=")
    .slice(0, SIGNATURES_MAX)
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

async function main(): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const secret = process.env["FISCAL_WEBHOOK_SECRET"] ?? "";
  const isRight = isGenuine(secret, process.argv[2] ?? "", Buffer.concat(chunks));
  process.stdout.write(isRight ? "genuine\n" : "refused\n");
  process.exitCode = isRight ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) void main();
