/** How files of documents are read, and what comes of them. */
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import type { Places } from "../../../src/intake/table-places.ts";
import type { ErrorObject, Problem } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { isRecord } from "../../input.ts";
import type { Format } from "./file-format.ts";

/** One document of a file, or what is wrong with it where no body could be made of it. */
export type BatchItem = {
  /** Where it stands, for messages: `documents.csv, line 12`. */
  place: string;
  /** The caller's own reference; null where there is none. */
  reference: string | null;
} & (
  | {
      body: unknown;
      /** The rows that it was made of; undefined where it is no part of a table. */
      places?: Places;
    }
  | {
      error: ErrorObject;
      /** All that is wrong with it; the error may list less. */
      problems?: readonly Problem[];
    }
);

/** What bodies take that do not say it themselves. */
export interface Defaults {
  merchant?: MerchantObject | undefined;
  provider?: string | undefined;
  series?: string | undefined;
}

/** How files are read. */
export interface Reading {
  /** By the file's name, or its beginning, without. */
  format?: Format | undefined;
  defaults: Defaults;
  /** What the columns and values of tables may be called. */
  names?: ForeignNames | undefined;
  /** The sheet of workbooks; the first one without. */
  sheet?: string | undefined;
  /** Today in Athens. */
  today: string;
  signal: AbortSignal;
  /** Takes a line for the person: what a file was found to be. */
  note(line: string): void;
  /** Told of each piece of a file that was read. */
  onBytes(bytes: number): void;
}

/** What the body itself says stands. What is no object is left as it is: accepting refuses it. */
export function complete(body: unknown, defaults: Defaults): unknown {
  if (!isRecord(body)) return body;
  return {
    ...(defaults.merchant === undefined ? {} : { merchant: defaults.merchant.id }),
    ...(defaults.provider === undefined ? {} : { provider: defaults.provider }),
    ...(defaults.series === undefined ? {} : { series: defaults.series }),
    ...body,
  };
}
