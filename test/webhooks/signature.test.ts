// docs/contract.md#limits: Webhook signature
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signatureHeaders, verifySignature } from "../../src/webhooks/signature.ts";

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const SECRET = secretOf(1);
const NOW = 1_793_000_000;

function sign(body: string, secrets: readonly string[] = [SECRET], atSeconds = NOW) {
  return signatureHeaders(secrets, { id: "evt_0000000000000000000000", body, atSeconds });
}

function verify(header: string, body: string, nowSeconds = NOW, secret = SECRET) {
  return verifySignature({ secret, header, body: Buffer.from(body), nowSeconds });
}

test("any signed text verifies, and nothing else does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (body, other) => {
      const header = sign(body)["service-signature"]!;
      expect(verify(header, body)).toEqual({ ok: true });
      if (Buffer.compare(Buffer.from(other), Buffer.from(body)) !== 0)
        expect(verify(header, other)).toEqual({ ok: false, reason: "mismatch" });
    }),
  );
});

describe("a header", () => {
  const signature = /v1=([0-9a-f]{64})/.exec(sign("{}")["service-signature"]!)?.[1] ?? "";
  test.each([
    [`t=${NOW},v1=${signature}`, { ok: true }],
    [`v0=x,t=${NOW}, v1=${"0".repeat(64)},v1=${signature},v2=y`, { ok: true }],
    [`t=${NOW},v1=${signature.toUpperCase()}`, { ok: false, reason: "mismatch" }],
    [`t=${NOW},v1=${signature.slice(1)}`, { ok: false, reason: "mismatch" }],
    [`t=${NOW + 1},v1=${signature}`, { ok: false, reason: "mismatch" }],
    [`t=${NOW}`, { ok: false, reason: "no_v1" }],
    [`v1=${signature}`, { ok: false, reason: "no_timestamp" }],
    [`t=-1,v1=${signature}`, { ok: false, reason: "no_timestamp" }],
    ["", { ok: false, reason: "no_timestamp" }],
  ])("%s: %j", (header, verdict) => {
    expect(verify(header, "{}")).toEqual(verdict);
  });

  test("checks only the first eight signatures, and never sends more", () => {
    const none = Array.from({ length: 8 }, () => `v1=${"0".repeat(64)}`).join(",");
    expect(verify(`t=${NOW},${none},v1=${signature}`, "{}")).toEqual({ ok: false, reason: "mismatch" });
    const nine = Array.from({ length: 9 }, (_none, index) => secretOf(index));
    expect(sign("{}", nine)["service-signature"]!.match(/v1=/g)).toHaveLength(8);
    expect(sign("{}", nine)["webhook-signature"]!.split(" ")).toHaveLength(8);
  });

  test.each([
    [300, { ok: true }],
    [301, { ok: false, reason: "too_old" }],
    [-300, { ok: true }],
    [-301, { ok: false, reason: "in_the_future" }],
  ])("that is %i seconds old: %j", (age, verdict) => {
    expect(verify(sign("{}")["service-signature"]!, "{}", NOW + age)).toEqual(verdict);
  });
});
