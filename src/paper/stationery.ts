/** Chooses what a paper shows of the merchant, which may be different for each branch (docs/contract.md#paper-of-branches). */
import type { Letterhead } from "../merchants/letterhead.ts";
import type { Language } from "./labels.ts";

/** The merchant's stationery, from its settings. */
export interface Stationery {
  address: string | undefined;
  /** The head office's address, on the paper of a branch that has its own. */
  headOffice: string | undefined;
  activity: string | undefined;
  gemi: string | undefined;
  taxOffice: string | undefined;
  phone: string | undefined;
  email: string | undefined;
  website: string | undefined;
  /** A PNG or JPEG file that pdfkit can embed. */
  logo: Buffer | undefined;
  /** `#1a2b3c`. */
  color: string | undefined;
  language: Language;
}

/** The stationery of `branch`; 0 is the head office. A branch has the head office's fields where it has none of its own. */
export function buildStationery(paper: Letterhead["paper"], branch: number): Stationery {
  const own = paper.branches?.[String(branch)] ?? {};
  return {
    address: own.address ?? paper.address,
    headOffice: own.address === undefined ? undefined : paper.address,
    activity: own.activity ?? paper.activity,
    gemi: paper.gemi,
    taxOffice: paper.tax_office,
    phone: own.phone ?? paper.phone,
    email: own.email ?? paper.email,
    website: own.website ?? paper.website,
    logo: paper.logo === undefined ? undefined : Buffer.from(paper.logo, "base64"),
    color: paper.color,
    language: paper.language,
  };
}
