/**
 * A provider that follows a document's metadata: `play` chooses the outcome of its send, `later` that of a query
 * about it; with `asks`, a send begins with a separate exchange. It stores and decides nothing, and the credentials
 * themselves determine whether they are accepted.
 */
import { buildErrorObject, type ErrorObject } from "../../../src/foundation/errors.ts";
import type {
  CallContext,
  CallRecorder,
  IssuedOutcome,
  IssueOutcome,
  OutgoingDocument,
  ProviderAdapter,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../../src/domain/provider-adapter.ts";
import type { CredentialsForm } from "../../../src/domain/credentials-form.ts";
import type { Provider } from "../../../storage/stored-values.ts";
import { sameInBoth } from "../../../src/foundation/text.ts";
import { createScriptedProvider } from "../../helpers/scripted-provider.ts";

export const ORIGIN = "https://provider.example";
/** The message of every rejection, verbatim. */
export const REFUSAL = { code: "203", message: "Το σύνολο δεν συμφωνεί" } as const;

const JSON_TYPE = { "content-type": "application/json" };
const AWAY = buildErrorObject("provider_unavailable", sameInBoth("The provider gave no answer"));
/** `{"text":""}` without the text. */
const RAW_BYTES = 11;

function refusal(code: "provider_rejected" | "balance_exceeded", rawBytes: number): ErrorObject {
  const raw = { text: "r".repeat(Math.max(0, rawBytes - RAW_BYTES)) };
  const words = { provider_code: REFUSAL.code, provider_message: REFUSAL.message, provider_raw: raw };
  return buildErrorObject(
    code,
    sameInBoth("The provider refused the document; correct it and issue a new one"),
    words,
  );
}

/** Like a provider that repeats what it received. */
function credentialsRefused(call: CallContext): ErrorObject {
  const message = "The provider refused the credentials; correct them and verify the connection again";
  return buildErrorObject("provider_credentials_invalid", sameInBoth(message), {
    provider_code: "401",
    provider_message: "Access denied",
    provider_raw: { message: "Access denied", you: Object.values(call.credentials ?? {}) },
  });
}

function issued(document: OutgoingDocument): IssuedOutcome {
  const mark = `40000${String(document.number).padStart(10, "0")}`;
  return { kind: "issued", mark, uid: document.uid, qrUrl: `${ORIGIN}/qr/${mark}` };
}

function sent(document: OutgoingDocument, call: CallContext): IssueOutcome {
  const { play = "issued", raw_bytes: rawBytes = "11" } = document.metadata;
  switch (play) {
    case "issued":
      return issued(document);
    case "accepted":
      return { kind: "accepted", providerRef: document.id, uid: document.uid, qrUrl: null };
    case "rejected":
      return { kind: "rejected", error: refusal("provider_rejected", Number(rawBytes)) };
    case "balance":
      return { kind: "rejected", error: refusal("balance_exceeded", RAW_BYTES) };
    case "away":
      return { kind: "not_sent", error: AWAY };
    case "lost":
      return { kind: "unknown", error: AWAY };
    case "refused":
      return { kind: "credentials_refused", error: credentialsRefused(call) };
    default:
      throw new Error("The metadata asks for a play that there is not");
  }
}

function asked(document: SentDocument): StatusOutcome {
  const { later = "issued" } = document.metadata;
  switch (later) {
    case "issued":
      return issued(document);
    case "rejected":
      return { kind: "rejected", error: refusal("provider_rejected", RAW_BYTES) };
    case "waits":
      return { kind: "accepted", providerRef: document.id, uid: document.uid, qrUrl: null };
    case "away":
      return { kind: "unknown", error: AWAY };
    default:
      throw new Error("The metadata asks for an answer that there is not");
  }
}

/** Records the exchange as a provider with an HTTP interface does; an outcome without a response records none. */
function record(
  recorder: CallRecorder,
  document: OutgoingDocument,
  call: CallContext,
  outcome: StatusOutcome | IssueOutcome,
) {
  const { body_bytes: bodyBytes = "20", header_bytes: headerBytes = "4" } = document.metadata;
  const keys = Object.values(call.credentials ?? {});
  recorder.request({
    method: "POST",
    url: `${ORIGIN}/send?key=${encodeURIComponent(keys.join(""))}`,
    headers: {
      ...JSON_TYPE,
      authorization: `Bearer ${keys[0]}`,
      "user-agent": "n".repeat(Number(headerBytes)),
    },
    body: JSON.stringify({ number: document.number, keys }),
  });
  if (outcome.kind === "unknown") {
    recorder.failed(new Error("the provider did not answer in time"));
    return;
  }
  const status = { not_sent: 503, credentials_refused: 401 }[outcome.kind as string] ?? 200;
  const text = outcome.kind === "rejected" ? REFUSAL.message : "t".repeat(Number(bodyBytes) - RAW_BYTES);
  recorder.response({ status, headers: { ...JSON_TYPE, etag: "1" }, body: JSON.stringify({ text }) });
}

export function createPlayedProvider(provider: Provider, credentials: CredentialsForm) {
  let gate: { open: Promise<void>; reach(): void } | undefined;

  async function pass(): Promise<void> {
    gate?.reach();
    await gate?.open;
  }

  async function verify(call: CallContext): Promise<VerifyOutcome> {
    await pass();
    const given = Object.values(call.credentials ?? {}).join(" ");
    const login = await call.begin("verify", "auth");
    login.request({ method: "POST", url: `${ORIGIN}/login?as=${given}`, headers: JSON_TYPE, body: given });
    login.response({ status: 200, headers: JSON_TYPE, body: JSON.stringify({ token: "played" }) });
    const outcome: VerifyOutcome = given.includes("away")
      ? { kind: "unavailable", error: AWAY }
      : given.includes("refused")
        ? { kind: "refused", error: credentialsRefused(call) }
        : { kind: "accepted" };
    call.evidence.request({ method: "GET", url: `${ORIGIN}/account`, headers: {}, body: null });
    const status = { unavailable: 503, refused: 401, accepted: 200 }[outcome.kind];
    call.evidence.response({ status, headers: JSON_TYPE, body: "{}" });
    return outcome;
  }

  function ask(documents: readonly SentDocument[], call: CallContext): StatusOutcome[] {
    return documents.map((document, index) => {
      const outcome = asked(document);
      record(call.evidenceOf(index), document, call, outcome);
      return outcome;
    });
  }

  const adapter: ProviderAdapter = {
    ...createScriptedProvider({ provider, credentials, settle: { askings: 1, seconds: 0 } }).adapter,
    canCancel: true,
    async issue(documents, call) {
      await pass();
      if (documents[0]?.metadata["asks"] === "first") {
        const further = await call.begin("lookup", "operation");
        further.request({ method: "GET", url: `${ORIGIN}/books`, headers: {}, body: null });
        further.response({ status: 200, headers: JSON_TYPE, body: "{}" });
      }
      return documents.map((document, index) => {
        const outcome = sent(document, call);
        record(call.evidenceOf(index), document, call, outcome);
        return outcome;
      });
    },
    status: async (documents, call) => ask(documents, call),
    reconcile: async (documents, call) => ask(documents, call),
    cancel: async () => ({ kind: "cancelled", cancellationMark: "490000000000001" }),
    verify,
  };
  return {
    adapter,
    /** From now on sends and verifications wait. `reached` resolves once one has arrived; `release` lets all go on. */
    block() {
      const reached = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      gate = { open: open.promise, reach: reached.resolve };
      return { reached: reached.promise, release: open.resolve };
    },
  };
}
