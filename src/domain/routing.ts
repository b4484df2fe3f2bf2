/** Chooses the provider and the connection for a document (docs/contract.md#routing). Pure: the connections are passed in. */
import { providerName } from "./code-words.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { AppError, validationError } from "../foundation/errors.ts";

export interface RouteRequest {
  mode: Mode;
  /** The provider that the caller asked for, if any. */
  requested: Provider | undefined;
  merchantArchived: boolean;
  /** The merchant's active connections in the mode. */
  connections: readonly { id: string; provider: Provider }[];
  /** Whether this appliance has an adapter for the provider. */
  isSupported(provider: Provider): boolean;
}

export interface Route {
  provider: Provider;
  /** Null for the sandbox. */
  connectionId: string | null;
}

const SANDBOX: Route = { provider: "sandbox", connectionId: null };

/** Throws `not_supported`, `connection_unavailable`, or `validation_failed` when several connections fit. */
export function chooseRoute(request: RouteRequest): Route {
  if (request.merchantArchived) {
    throw new AppError("connection_unavailable", {
      en: "The merchant is archived and issues nothing new; unarchive it first",
      el: "Ο εκδότης είναι αρχειοθετημένος και δεν εκδίδει νέα παραστατικά· επαναφέρετέ τον πρώτα",
    });
  }
  return request.requested === undefined ? chooseOnly(request) : chooseRequested(request, request.requested);
}

function chooseRequested(request: RouteRequest, provider: Provider): Route {
  const { mode } = request;
  if (provider === "sandbox") {
    if (mode === "live") {
      throw new AppError("not_supported", {
        en: "A live key never reaches the sandbox; use a test key for it",
        el: "Ένα κλειδί παραγωγικής λειτουργίας δεν φτάνει ποτέ στο sandbox· χρησιμοποιήστε δοκιμαστικό κλειδί",
      });
    }
    return SANDBOX;
  }
  const connection = request.connections.find((candidate) => candidate.provider === provider);
  if (connection === undefined) {
    throw new AppError("connection_unavailable", {
      en: `The merchant has no active connection to ${providerName(provider)} in ${mode} mode; connect it first`,
      el: `Ο εκδότης δεν έχει ενεργή σύνδεση με τον πάροχο ${providerName(provider)} σε ${GREEK_MODES[mode]} λειτουργία· συνδέστε τον πρώτα`,
    });
  }
  requireSupported(request, provider);
  return { provider, connectionId: connection.id };
}

const GREEK_MODES: Readonly<Record<Mode, string>> = { test: "δοκιμαστική", live: "παραγωγική" };

function chooseOnly(request: RouteRequest): Route {
  const [only, ...others] = request.connections;
  if (only === undefined) {
    if (request.mode === "test") return SANDBOX;
    throw new AppError("connection_unavailable", {
      en: "The merchant has no active connection in live mode; connect it first",
      el: "Ο εκδότης δεν έχει ενεργή σύνδεση σε παραγωγική λειτουργία· συνδέστε τον πρώτα",
    });
  }
  if (others.length > 0) {
    const providers = request.connections.map(({ provider }) => provider).join(", ");
    const message = {
      en: `is required: the merchant has several connections (${providers})`,
      el: `είναι υποχρεωτικό: ο εκδότης έχει περισσότερες συνδέσεις (${providers})`,
    };
    throw validationError([{ path: "provider", message }]);
  }
  requireSupported(request, only.provider);
  return { provider: only.provider, connectionId: only.id };
}

function requireSupported({ isSupported }: RouteRequest, provider: Provider): void {
  if (!isSupported(provider)) throw hasNoAdapter(provider);
}

export function hasNoAdapter(provider: Provider): AppError {
  return new AppError("not_supported", {
    en: `This appliance has no adapter for the provider ${provider}; name its module under [providers.${provider}] in the configuration`,
    el: `Αυτή η εγκατάσταση δεν έχει προσαρμογέα για τον πάροχο ${provider}· ορίστε το module του στην ενότητα [providers.${provider}] των ρυθμίσεων`,
  });
}
