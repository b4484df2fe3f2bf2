/** Adds up what the issued documents of a period add to the books. Documents of an earlier version are filled in at the first start. */
import { UnreadableContentsError } from "../../storage/database/errors.ts";
import type { RowOf } from "../../storage/database/queries.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import { findDocumentInput, findReadableInputs } from "../../storage/documents/documents.ts";
import {
  findSharesPage,
  findWithoutShares,
  setShares,
  type SharesRow,
} from "../../storage/documents/dated-documents.ts";
import { countInvalidNumbers } from "../../storage/merchants/customers.ts";
import { findMerchantRow } from "../../storage/merchants/merchants.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { createSharesCounter, type Shares, sharesOf } from "../domain/shares.ts";
import { readJson } from "../foundation/json.ts";
import { everyPortion } from "../foundation/pages.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import type { Context } from "../journal/context.ts";
import type { Store } from "../../storage/database/store.ts";
import { regionOfSale } from "../documents/originals.ts";
import { parseAccepted } from "../issuing/outgoing.ts";

/** Issue dates, both inclusive. */
export interface BooksPeriod {
  mode: Mode;
  from: string;
  through: string;
  merchantId?: string | undefined;
}

/** The issued documents of a merchant, month and region that are not cancelled; in the EU those of one customer. */
export type CountedDocuments = Awaited<ReturnType<typeof describe>>;

/** Adds up the documents of the period. */
export function countDocuments({ store }: Context, period: BooksPeriod): Promise<CountedDocuments[]> {
  return store.snapshot(async (session) => {
    const invalid = new Set((await countInvalidNumbers(session, period)).map(partiesOf));
    const counted: CountedDocuments[] = [];
    for (const group of (await groupDocuments(session, period)).values())
      counted.push(await describe(session, group, invalid));
    return counted;
  });
}

interface Group {
  /** Of all documents of the group. */
  first: SharesRow;
  shares: Shares;
  counter: ReturnType<typeof createSharesCounter>;
}

const PAGE_ROWS = 1000;

async function groupDocuments(session: KeyedSession, period: BooksPeriod): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>();
  const pages = everyPortion<SharesRow>(PAGE_ROWS, (last, limit) =>
    findSharesPage(session, period, { after: last ?? { issue_date: period.from, id: "" }, limit }),
  );
  for await (const rows of pages) {
    for (const row of rows) addRow(groups, row);
    await yieldToOthers();
  }
  return groups;
}

function addRow(groups: Map<string, Group>, row: SharesRow): void {
  if (row.shares_json === null) throw new UnreadableContentsError(row.id);
  const shares = readJson<Shares>(row.shares_json);
  const parties = shares.region === "eu" ? partiesOf(row) : row.merchant_id;
  const key = `${parties} ${monthOf(row)} ${shares.region} ${shares.suspended ?? false}`;
  let group = groups.get(key);
  if (group === undefined) groups.set(key, (group = { first: row, shares, counter: createSharesCounter() }));
  group.counter.add(shares);
}

/** The number of a customer is only in the contents. */
async function describe(
  session: KeyedSession,
  { first, shares: { region, suspended }, counter }: Group,
  invalid: ReadonlySet<string>,
) {
  const merchant = await findMerchantRow(session, { id: first.merchant_id });
  const input = region === "eu" ? await findDocumentInput(session, first.id) : undefined;
  const taxId = input && readJson<CanonicalDocument>(input.input_json).customer?.tax_id;
  return {
    merchant: merchant!.external_id,
    /** `2026-11` */
    month: monthOf(first),
    region,
    /** Their VAT is due only once it is paid. */
    isVatSuspended: suspended === true,
    /** Of documents in the EU. `isInvalid` if VIES says so of its number. */
    customer: taxId && { ...taxId, isInvalid: invalid.has(partiesOf(first)) },
    ...counter.counted(),
  };
}

function partiesOf({ merchant_id: merchant, customer }: Pick<SharesRow, "merchant_id" | "customer">): string {
  return `${merchant} ${customer}`;
}

function monthOf({ issue_date: day }: SharesRow): string {
  return day.slice(0, 7);
}

const PORTION = 500;

/** Documents that cannot be decrypted are left: reports name them. */
export async function fillShares(store: Store): Promise<void> {
  const portions = everyPortion<RowOf<typeof findWithoutShares>>(PORTION, (last, limit) =>
    findWithoutShares(store.read, { after: last?.id ?? "", limit }),
  );
  for await (const rows of portions) {
    const inputs = await findReadableInputs(
      store.read,
      rows.map(({ id }) => id),
    );
    const shares: [id: string, json: string][] = [];
    for (const { id, mode, merchant_id: merchantId } of rows) {
      const input = inputs.get(id);
      if (input === undefined) continue;
      const { document, decided } = parseAccepted(input);
      const region = await regionOfSale(store.read, document, { mode, merchantId });
      shares.push([id, JSON.stringify(sharesOf(document, decided, region))]);
    }
    // Not at every start for documents that stay unreadable: the disk may be full.
    if (shares.length > 0)
      await store.write(async (trx) => {
        for (const [id, json] of shares) await setShares(trx, { id, shares_json: json });
      });
  }
}
