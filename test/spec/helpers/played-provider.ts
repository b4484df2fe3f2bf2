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

function rejection(code: "provider_rejected" | "balance_exceeded", rawBytes = String(RAW_BYTES)) {
  const raw = { text: "r".repeat(Number(rawBytes) - RAW_BYTES) };
  const words = { provider_code: REFUSAL.code, provider_message: REFUSAL.message, provider_raw: raw };
  const message = sameInBoth("The provider refused the document; correct it and issue a new one");
  return { kind: "rejected", error: buildErrorObject(code, message, words) } as const;
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

const accepted = ({ id, uid }: OutgoingDocument) =>
  ({ kind: "accepted", providerRef: id, uid, qrUrl: null }) as const;

/** The outcome of a send, by `play`. */
const SENT: Readonly<Record<string, (document: OutgoingDocument, call: CallContext) => IssueOutcome>> = {
  issued,
  accepted,
  rejected: ({ metadata }) => rejection("provider_rejected", metadata["raw_bytes"]),
  balance: () => rejection("balance_exceeded"),
  away: () => ({ kind: "not_sent", error: AWAY }),
  lost: () => ({ kind: "unknown", error: AWAY }),
  refused: (_document, call) => ({ kind: "credentials_refused", error: credentialsRefused(call) }),
};

/** That of a query, by `later`. */
const ASKED: Readonly<Record<string, (document: SentDocument) => StatusOutcome>> = {
  issued,
  rejected: () => rejection("provider_rejected"),
  waits: accepted,
  away: () => ({ kind: "unknown", error: AWAY }),
};

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
      const outcome = ASKED[document.metadata["later"] ?? "issued"]!(document);
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
        const outcome = SENT[document.metadata["play"] ?? "issued"]!(document, call);
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
