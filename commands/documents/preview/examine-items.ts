/** Examines each document of a file for `fiscal documents preview`. */
import type { Appliance } from "../../../src/appliance.ts";
import { checkDocument } from "../../../src/documents/accept.ts";
import { type Examination, examineDocument } from "../../../src/documents/preview.ts";
import { PreviewEnvelopeSchema } from "../../../src/domain/issue-body.ts";
import { AppError, validationError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { checkWith } from "../../../src/foundation/validation.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import type { Mode, Provider } from "../../../src/domain/vocabulary.ts";
import { isRecord } from "../../input.ts";
import type { MerchantOption } from "../../merchants/find-merchant.ts";
import type { MapOptions } from "../batch/batch-map.ts";
import type { Format } from "../batch/file-format.ts";
import type { BatchItem } from "../../../src/intake/accept-items.ts";

export interface PreviewOptions extends Pick<MapOptions, "map" | "column" | "default">, MerchantOption {
  sheet?: string;
  provider?: Provider;
  format?: Format;
  payload?: boolean;
  limit?: number;
}

/** A document that can be previewed. */
export interface Preview {
  place: Text;
  reference: string | null;
  examination: Examination;
  /** Why issuing would refuse it; undefined if it would be accepted. */
  refusal: AppError | undefined;
}

export async function* examineItems(
  appliance: Appliance,
  mode: Mode,
  items: AsyncIterable<BatchItem>,
  given: { options: PreviewOptions; merchant: MerchantObject | undefined },
): AsyncGenerator<Preview | { place: Text; error: AppError }> {
  for await (const item of items) {
    const { place, reference } = item;
    try {
      if ("error" in item) throw item.error;
      const { document, ...around } = unwrap(item.body, given.merchant);
      const provider = given.options.provider ?? around.provider;
      const examination = await examineDocument(appliance, document, { ...around, mode, provider });
      const refusal = await findRefusal(appliance, mode, { document, ...around, provider });
      yield { place, reference, examination, refusal };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "internal_error") throw error;
      yield { place, error };
    }
  }
}

/** The error with which accepting would refuse the document; none if no merchant is known. */
async function findRefusal(
  appliance: Appliance,
  mode: Mode,
  body: Readonly<Record<string, unknown>>,
): Promise<AppError | undefined> {
  if (body["merchant"] === undefined) return undefined;
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  try {
    await checkDocument(appliance, given, mode);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code !== "internal_error") return error;
    throw error;
  }
}

/** The document, and the fields of the body around it. Throws `validation_failed`. */
function unwrap(body: unknown, merchant: MerchantObject | undefined) {
  if (!isRecord(body) || !("document" in body)) {
    // Reading has added the merchant, which is not part of a bare document.
    const { merchant: _added, ...bare } = isRecord(body) ? body : {};
    const document = isRecord(body) && merchant !== undefined ? bare : body;
    return { document, merchant: merchant?.id };
  }
  const checked = checkWith(PreviewEnvelopeSchema, body, "");
  if ("problems" in checked) throw validationError(checked.problems);
  const { document, merchant: id, provider, series, number, metadata } = checked.output;
  return { document, merchant: id, provider, series, number, metadata };
}
