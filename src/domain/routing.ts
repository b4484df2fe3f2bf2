/** Which provider a document goes to (decisions 5.3). Pure: the connections are handed in. */
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { AppError, validationError } from "../foundation/errors.ts";

export interface RouteQuestion {
  mode: Mode;
  /** What the caller asked for; undefined to leave it to us. */
  requested: Provider | undefined;
  merchantArchived: boolean;
  /** The merchant's active connections in the mode. */
  connections: readonly { id: string; provider: Provider }[];
  /** Whether an adapter is there for the provider. */
  isSupported(provider: Provider): boolean;
}

export interface Route {
  provider: Provider;
  /** Null for the sandbox. */
  connectionId: string | null;
}

const SANDBOX: Route = { provider: "sandbox", connectionId: null };

/** Throws `not_supported`, `connection_unavailable`, or `validation_failed` where several connections would do. */
export function chooseRoute(question: RouteQuestion): Route {
  if (question.merchantArchived) {
    throw new AppError(
      "connection_unavailable",
      "The merchant is archived and issues nothing new; unarchive it first",
    );
  }
  return question.requested === undefined
    ? chooseOnly(question)
    : chooseRequested(question, question.requested);
}

function chooseRequested(question: RouteQuestion, provider: Provider): Route {
  if (provider === "sandbox") {
    if (question.mode === "live") {
      throw new AppError("not_supported", "A live key never reaches the sandbox; use a test key for it");
    }
    return SANDBOX;
  }
  if (!question.isSupported(provider)) {
    throw new AppError(
      "not_supported",
      `This appliance has no adapter for the provider ${provider}; name its module under [providers.${provider}] in the configuration`,
    );
  }
  const connection = question.connections.find((candidate) => candidate.provider === provider);
  if (connection === undefined) {
    throw new AppError(
      "connection_unavailable",
      `The merchant has no active connection to ${provider} in ${question.mode} mode; connect it first`,
    );
  }
  return { provider, connectionId: connection.id };
}

function chooseOnly(question: RouteQuestion): Route {
  const [only, ...others] = question.connections;
  if (only === undefined) {
    if (question.mode === "test") return SANDBOX;
    throw new AppError(
      "connection_unavailable",
      "The merchant has no active connection in live mode; connect it first",
    );
  }
  if (others.length > 0) {
    const providers = question.connections.map((connection) => connection.provider).join(", ");
    throw validationError([
      { path: "provider", message: `is required: the merchant has several connections (${providers})` },
    ]);
  }
  if (!question.isSupported(only.provider)) {
    throw new AppError(
      "not_supported",
      `This appliance has no adapter for the provider ${only.provider}; name its module under [providers.${only.provider}] in the configuration`,
    );
  }
  return { provider: only.provider, connectionId: only.id };
}
