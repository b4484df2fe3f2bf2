/** The options for reading files of documents, and the items that reading yields. */
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { CONNECTION_WAS_LOST, TRANSMISSION_FAILURE_KEY } from "../../../src/domain/issue-body.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { isRecord } from "../../input.ts";
import type { Format } from "./file-format.ts";

/** Values for bodies that do not have their own. */
export interface Defaults {
  merchant?: MerchantObject | undefined;
  provider?: string | undefined;
  series?: string | undefined;
  transmissionFailure?: boolean | undefined;
}

export interface Reading {
  /** By default from the file's name or first bytes. */
  format?: Format | undefined;
  defaults: Defaults;
  /** Other names for the columns and values of tables. */
  names?: ForeignNames | undefined;
  /** The sheet of workbooks; by default the first. */
  sheet?: string | undefined;
  /** Today in Athens. */
  today: string;
  signal: AbortSignal;
  /** Receives what was detected about a file, for the person. */
  note(text: Text): void;
  /** Called with the size of each piece that was read. */
  onBytes(bytes: number): void;
}

/** Adds `defaults` where the body has no value. A body that is not an object is returned as is and refused when accepted. */
export function withDefaults(body: unknown, defaults: Defaults): unknown {
  if (!isRecord(body)) return body;
  return {
    ...(defaults.merchant === undefined ? {} : { merchant: defaults.merchant.id }),
    ...(defaults.provider === undefined ? {} : { provider: defaults.provider }),
    ...(defaults.series === undefined ? {} : { series: defaults.series }),
    ...body,
    ...(defaults.transmissionFailure === true ? { metadata: withTransmissionFailure(body["metadata"]) } : {}),
  };
}

function withTransmissionFailure(metadata: unknown): unknown {
  const declared = { [TRANSMISSION_FAILURE_KEY]: CONNECTION_WAS_LOST };
  if (metadata === undefined) return declared;
  return isRecord(metadata) ? { ...declared, ...metadata } : metadata;
}
