/** Parses the body of a request to issue a document, before any database query. */
import type { Mode, Provider } from "../../storage/stored-values.ts";
import { checkDocumentInput, type ParsedDocument } from "../domain/canonical-document.ts";
import { checkTransmissionFailure, type Envelope, EnvelopeSchema } from "../domain/issue-body.ts";
import {
  type Destination,
  destinationOf,
  isOnlyWarning,
  type Objection,
  warnOrRefuse,
} from "../domain/routing.ts";
import { validationError } from "../foundation/errors.ts";
import { REQUIRED } from "../foundation/messages.ts";
import type { Text } from "../foundation/text.ts";
import { checkWith } from "../foundation/validation.ts";
import type { Context } from "../journal/context.ts";

export interface IssueRequest extends ParsedDocument {
  envelope: Envelope;
}

/** Throws `validation_failed` with every problem of the envelope and the document together. */
export function parseIssueRequest(context: Context, body: unknown, mode: Mode): IssueRequest {
  const { around, inside, problems } = checkBody(context, body);
  if (problems.length > 0 || !("output" in around) || inside === undefined || "problems" in inside) {
    throw validationError(problems);
  }
  warnOrRefuse(inside.objections, destinationIn(context, mode, around.output.provider));
  return { envelope: around.output, ...inside };
}

/** What is wrong at `path` of a body that is not complete yet; undefined if nothing is. */
export function problemAt(
  context: Context,
  mode: Mode,
  { body, path }: { body: unknown; path: string },
): Text | undefined {
  const destination = destinationIn(context, mode, undefined);
  return checkBody(context, body).problems.find(
    (problem) =>
      (problem.path === path || problem.path.startsWith(`${path}.`)) && !isOnlyWarning(problem, destination),
  )?.message;
}

export function destinationIn({ config }: Context, mode: Mode, provider: Provider | undefined): Destination {
  return destinationOf({ mode, provider, isSandboxStrict: config.sandbox.strict });
}

function checkBody(context: Context, body: unknown) {
  const around = checkWith(EnvelopeSchema, body, "");
  const hasDocument = typeof body === "object" && body !== null && "document" in body;
  const inside = hasDocument
    ? checkDocumentInput(body.document, { today: context.clock.today(), prefix: "document" })
    : undefined;
  const problems: Objection[] = [...("problems" in around ? around.problems : [])];
  if (inside === undefined) problems.push({ path: "document", message: REQUIRED });
  else if ("problems" in inside) problems.push(...inside.problems);
  if (hasNumberWithoutSeries(body)) {
    const message = {
      en: "can be given only together with series",
      el: "μπορεί να δοθεί μόνο μαζί με τη σειρά (series)",
    };
    problems.push({ path: "number", message });
  }
  if ("output" in around) problems.push(...checkTransmissionFailure(around.output.metadata));
  return { around, inside, problems: dropDuplicates(problems) };
}

/** Checks the body as it came, so that this problem is reported together with all others. */
function hasNumberWithoutSeries(body: unknown): boolean {
  return (
    typeof body === "object" &&
    body !== null &&
    "number" in body &&
    body.number !== undefined &&
    !("series" in body && body.series !== undefined)
  );
}

function dropDuplicates(problems: readonly Objection[]): Objection[] {
  const byText = new Map(problems.map((problem) => [`${problem.path}: ${problem.message.en}`, problem]));
  return [...byText.values()];
}
