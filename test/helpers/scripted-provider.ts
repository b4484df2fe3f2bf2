/** A provider that answers as it is told, remembers what it was asked, and fails on what it does not expect. */
import type {
  CallContext,
  IssueOutcome,
  PdfOutcome,
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../src/domain/provider-adapter.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { CredentialsForm } from "../../src/domain/credentials-form.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Provider } from "../../storage/stored-values.ts";

type Step =
  | {
      asked: "issue";
      answer: (document: { number: number | null; id: string }) => IssueOutcome | Promise<IssueOutcome>;
    }
  | { asked: "status"; answer: () => StatusOutcome }
  | { asked: "reconcile"; answer: () => ReconcileOutcome };

export interface ScriptedProvider {
  adapter: ProviderAdapter;
  /** The next thing that is asked, and its answer. */
  expect(step: Step): void;
  /** `issue 1 2` for each call, with the numbers of its documents. */
  asked: string[];
  /** Steps that nothing asked for. */
  left(): number;
}

export const ERROR = buildErrorObject("provider_unavailable", "scripted");
export const REFUSED = buildErrorObject("provider_credentials_invalid", "scripted", { providerCode: "105" });

export interface ScriptOptions {
  provider?: Provider;
  name?: Text;
  numbering?: "ours" | "provider";
  issueBatchMax?: number;
  settle?: { askings: number; seconds: number };
  /** What a connection is made with; without it nothing can be connected. */
  credentials?: CredentialsForm;
  /** What it says of credentials, each time it is asked. */
  verify?: (credentials: Readonly<Record<string, string>> | null) => VerifyOutcome;
  /** What it says when it is asked for a PDF; without it nobody may ask. */
  fetchPdf?: () => PdfOutcome;
}

export function createScriptedProvider(options: ScriptOptions = {}): ScriptedProvider {
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
      if (step?.asked !== what) throw new Error(`Nobody expected ${what}`);
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
    throw new Error("Nobody expected this");
  };
  return {
    asked,
    expect: (step) => void steps.push(step),
    left: () => steps.length,
    adapter: {
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
      status: (documents: readonly SentDocument[], call) => answer("status", documents, call),
      reconcile: (documents: readonly SentDocument[], call) => answer("reconcile", documents, call),
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
    },
  };
}
