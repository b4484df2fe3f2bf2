/**
 * Chooses the provider and the connection for a document (docs/contract.md#routing), and says who refuses it because of a rule beyond the
 * specification, and who issues it with a warning (docs/contract.md#plain-sandbox). What the specification itself refuses has no rule
 * here: everybody refuses it. Pure: the connections are passed in.
 */
import { providerName } from "./document-codes.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { AppError, describeProblem, type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";

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
    refuseLiveSandbox(mode);
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

/** Throws `not_supported` for the sandbox in live mode. */
export function refuseLiveSandbox(mode: Mode): void {
  if (mode === "live")
    throw new AppError("not_supported", {
      en: "A live key never reaches the sandbox; use a test key for it",
      el: "Ένα κλειδί παραγωγικής λειτουργίας δεν φτάνει ποτέ στο sandbox· χρησιμοποιήστε δοκιμαστικό κλειδί",
    });
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

/** Where a document goes, as far as it decides who refuses it. */
export type Destination = "plain sandbox" | "strict sandbox" | "provider";

/** Each rule, with those who only warn about it. */
const WARNED_BY = {
  future_date: ["plain sandbox"],
  other_supplier: ["plain sandbox"],
  own_customer: ["plain sandbox"],
  repeated_mark: ["plain sandbox"],
  payments_differ: ["plain sandbox"],
  /** Countries, amounts and MARKs that the provider's format cannot carry. */
  provider_format: ["plain sandbox"],
} as const satisfies Record<string, readonly Destination[]>;

export type RuleName = keyof typeof WARNED_BY;
export const RULE_NAMES = Object.keys(WARNED_BY) as RuleName[];

/** A problem with the rule that it breaks; without one, everybody refuses the document. */
export interface Objection extends Problem {
  rule?: RuleName;
}

/** A document of test mode without a provider may still be routed to the sandbox. */
export function destinationOf(request: {
  mode: Mode;
  provider: Provider | undefined;
  isSandboxStrict: boolean;
}): Destination {
  if (request.mode === "live" || (request.provider ?? "sandbox") !== "sandbox") return "provider";
  return request.isSandboxStrict ? "strict sandbox" : "plain sandbox";
}

/** Whether documents with the objection are issued at the destination, with a warning. */
export function isOnlyWarning({ rule }: Objection, destination: Destination): boolean {
  const warned: readonly Destination[] = rule === undefined ? [] : WARNED_BY[rule];
  return warned.includes(destination);
}

/** Returns the warnings, or throws an error with `code` that lists everything if the destination refuses any of it. */
export function warnOrRefuse(
  objections: readonly Objection[],
  destination: Destination,
  code: "validation_failed" | "not_supported" = "validation_failed",
): Text[] {
  if (objections.every((objection) => isOnlyWarning(objection, destination)))
    return objections.map(describeProblem);
  const failure = validationError(objections);
  throw code === failure.code ? failure : new AppError(code, failure.text);
}
