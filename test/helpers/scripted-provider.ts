/** A provider that follows a script, records its calls, and fails on unexpected ones. */
import type {
  CallContext,
  IssueOutcome,
  PdfOutcome,
  ProviderAdapter,
  ReconcileOutcome,
  StatusOutcome,
  VerifyOutcome,
} from "../../src/domain/provider-adapter.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { CredentialsForm } from "../../src/domain/credentials-form.ts";
import { type Text, sameInBoth } from "../../src/foundation/text.ts";
import type { Provider } from "../../storage/stored-values.ts";

type Step =
  | {
      asked: "issue";
      answer: (document: { number: number | null; id: string }) => IssueOutcome | Promise<IssueOutcome>;
    }
  | { asked: "status"; answer: () => StatusOutcome }
  | { asked: "reconcile"; answer: () => ReconcileOutcome };

export const ERROR = buildErrorObject("provider_unavailable", sameInBoth("scripted"));
export const REFUSED = buildErrorObject("provider_credentials_invalid", sameInBoth("scripted"), {
  provider_code: "105",
});

export interface ScriptOptions {
  provider?: Provider;
  name?: Text;
  numbering?: "ours" | "provider";
  issueBatchMax?: number;
  settle?: { askings: number; seconds: number };
  /** The credentials form; without it nothing can be connected. */
  credentials?: CredentialsForm;
  /** The outcome of each verification. */
  verify?: (credentials: Readonly<Record<string, string>> | null) => VerifyOutcome;
  /** The outcome of each PDF request; without it none is expected. */
  fetchPdf?: () => PdfOutcome;
}

export function createScriptedProvider(options: ScriptOptions = {}) {
  const steps: Step[] = [];
  const asked: string[] = [];

  async function answer<Asked extends Step["asked"]>(
    what: Asked,
    documents: readonly { number: number | null; id: string }[],
    call: CallContext,
  ): Promise<Awaited<ReturnType<Extract<Step, { asked: Asked }>["answer"]>>[]> {
    asked.push([what, ...documents.map(({ number }) => number ?? "-")].join(" "));
    call.evidence.request({
      method: "POST",
      url: "https://provider.example/send?key=secret",
      headers: {},
      body: "{}",
    });
    const outcomes = [];
    for (const document of documents) {
      const step = steps.shift();
      if (step?.asked !== what) throw new Error(`Unexpected call: ${what}`);
      outcomes.push(await step.answer(document as never));
    }
    call.evidence.response({
      status: 200,
      headers: { "content-type": "application/json" },
      body: '{"ok":true}',
    });
    return outcomes as never;
  }

  const none = (): never => {
    throw new Error("Unexpected call");
  };
  const adapter: ProviderAdapter = {
    provider: options.provider ?? "provider_b",
    ...(options.name === undefined ? {} : { name: options.name }),
    isAuthority: options.provider === "registry_direct",
    numbering: options.numbering ?? "ours",
    issueBatchMax: options.issueBatchMax ?? 10,
    canCancel: false,
    credentials: options.credentials ?? null,
    settle: options.settle ?? { askings: 3, seconds: 120 },
    buildPayload: (document) => ({ number: document.number }),
    issue: (documents, call) => answer("issue", documents, call),
    status: (documents, call) => answer("status", documents, call),
    reconcile: (documents, call) => answer("reconcile", documents, call),
    cancel: none,
    findCancellation: none,
    async fetchPdf(document, call) {
      asked.push(`fetchPdf ${document.number}`);
      call.evidence.request({
        method: "GET",
        url: "https://provider.example/pdf",
        headers: {},
        body: null,
      });
      const outcome = options.fetchPdf === undefined ? none() : options.fetchPdf();
      call.evidence.response({ status: 200, headers: {}, body: null });
      return outcome;
    },
    async verify(call) {
      asked.push("verify");
      call.evidence.request({
        method: "GET",
        url: "https://provider.example/whoami?key=hidden",
        headers: { authorization: `Bearer ${Object.values(call.credentials ?? {}).join("")}` },
        body: null,
      });
      const outcome = options.verify === undefined ? none() : options.verify(call.credentials);
      call.evidence.response({
        status: outcome.kind === "accepted" ? 200 : 401,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ you: call.credentials }),
      });
      return outcome;
    },
  };
  return {
    /** Each call with the numbers of its documents, such as `issue 1 2`. */
    asked,
    /** Adds the next expected call and its outcome. */
    expect: (step: Step) => void steps.push(step),
    /** Expects a document and registers it under `mark`. */
    issues: (mark: string) => {
      const registered = () => ({ kind: "issued", mark, uid: null, qrUrl: null }) as const;
      steps.push({ asked: "issue", answer: registered });
    },
    /** How many expected calls were not made. */
    left: () => steps.length,
    adapter,
  };
}
