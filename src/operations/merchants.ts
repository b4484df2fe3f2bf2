/** Operations on merchants: create, list, get, update, archive, unarchive, settings. */
import * as v from "valibot";
import * as logic from "../merchants/merchants.ts";
import { changePaper } from "../merchants/paper-input.ts";
import { changeSettings, getSettings, putSettings } from "../merchants/settings.ts";
import {
  CreateMerchantSchema,
  type MerchantObject,
  MerchantObjectSchema,
  ON_ISSUE_WORDS,
  SettingsSchema,
  UpdateMerchantSchema,
} from "../merchants/merchant-object.ts";
import { type BodyFlag, created, data, list, localOperation, operationsOf } from "./operation.ts";
import { type Column, instantText, LABELS, rowsFrom, yesOrNo } from "./view.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import { parseWith } from "../foundation/validation.ts";
import { booleanField, field, PAGE_FIELDS, textField } from "./field.ts";

const operation = operationsOf("merchants");

const ARCHIVED: Text = { en: "archived", el: "αρχειοθετημένη" };

const COLUMNS: readonly Column<MerchantObject>[] = [
  { head: "id", leaveOut: 1, value: (merchant) => merchant.id },
  { head: LABELS.externalId, value: (merchant) => merchant.external_id },
  { head: LABELS.name, shortens: true, isName: true, value: (merchant) => merchant.name },
  { head: LABELS.taxNumber, value: (merchant) => merchant.tax_id ?? "-" },
  { head: LABELS.branch, leaveOut: 2, align: "right", value: (merchant) => String(merchant.branch) },
  { head: ARCHIVED, leaveOut: 3, value: (merchant) => yesOrNo(merchant.archived) },
];

const rows = rowsFrom(COLUMNS, ({ created: since, metadata }) => [
  [LABELS.created, instantText(since)],
  ...Object.entries(metadata).map(([key, value]) => [sameInBoth(`metadata ${key}`), value] as const),
]);

/** The flags of a merchant's details, which `add` and `update` share. */
const DETAILS = {
  external_id: {
    name: "external-id <id>",
    help: {
      en: "your own id of the merchant, unique ignoring case",
      el: "ο δικός σας κωδικός της επιχείρησης, μοναδικός χωρίς διάκριση πεζών και κεφαλαίων",
    },
  },
  name: { name: "name <name>", help: { en: "name of the business", el: "η επωνυμία της επιχείρησης" } },
  tax_id: { name: "tax-id <number>", help: { en: "Greek tax number (ΑΦΜ)", el: "ΑΦΜ" } },
  branch: {
    name: "branch <number>",
    kind: "integer",
    help: { en: "branch; 0 is the head office", el: "εγκατάσταση· το 0 είναι η έδρα" },
  },
} as const satisfies Record<string, BodyFlag>;

const METADATA = {
  name: "metadata <key=value>",
  label: { en: "your own data, key=value in each line", el: "δικά σας στοιχεία, όνομα=τιμή σε κάθε γραμμή" },
  kind: "pairs",
} as const;

export const createMerchant = operation({
  id: "createMerchant",
  method: "POST",
  path: "/merchants",
  summary: "Create a merchant",
  description:
    "Adds a business that issues documents. Its id is in every document that it issues. Test and live keys see the same merchants.",
  body: CreateMerchantSchema,
  example: {
    external_id: "shop-1",
    name: "Παράδειγμα Α.Ε.",
    tax_id: "123456783",
    metadata: { plan: "standard" },
  },
  idempotency: "required",
  response: MerchantObjectSchema,
  errors: ["already_exists"],
  verb: {
    makesDatabase: true,
    summary: { en: "add a merchant", el: "προσθέτει επιχείρηση" },
    flags: {
      ...DETAILS,
      external_id: {
        ...DETAILS.external_id,
        ask: { en: "Your own id of the merchant", el: "Ο δικός σας κωδικός της επιχείρησης" },
      },
      name: { ...DETAILS.name, ask: { en: "Name", el: "Επωνυμία" } },
      metadata: {
        ...METADATA,
        help: {
          en: "a key and value of your own; may be repeated",
          el: "ένα δικό σας ζεύγος ονόματος και τιμής· επαναλαμβάνεται",
        },
      },
    },
    examples: ['fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783'],
  },
  rows,
  async handle({ context, body, cause, use }) {
    const result = await logic.createMerchant(context, body, cause, use);
    return created(result, result.id);
  },
});

export const listMerchants = operation({
  id: "listMerchants",
  method: "GET",
  path: "/merchants",
  summary: "List merchants",
  description: "Finds the businesses that issue documents, and their ids.",
  query: {
    ...PAGE_FIELDS,
    external_id: field(
      textField(200, "Only the merchant with this external id, ignoring case."),
      LABELS.externalId,
      "external-id <id>",
      { en: "only with this external id", el: "με αυτό το εξωτερικό id" },
    ),
    tax_id: field(
      textField(60, "Only merchants with this tax number."),
      LABELS.taxNumber,
      "tax-id <number>",
      { en: "only with this tax number", el: "με αυτό το ΑΦΜ" },
    ),
    archived: field(
      booleanField("true: only archived merchants; false: only the others."),
      ARCHIVED,
      "archived <true|false>",
      {
        en: "only archived merchants, or only the others",
        el: "μόνο οι αρχειοθετημένες, ή μόνο οι υπόλοιπες",
      },
    ),
  },
  response: MerchantObjectSchema,
  verb: {
    summary: { en: "list merchants, newest first", el: "επιχειρήσεις, πρώτα οι νεότερες" },
    examples: ["fiscal merchants list --archived false --all"],
  },
  table: {
    none: { en: "No merchants.", el: "Δεν υπάρχουν επιχειρήσεις." },
    columns: COLUMNS,
  },
  handle: async ({ context, query }) => list(await logic.listMerchants(context, query)),
});

export const getMerchant = operation({
  id: "getMerchant",
  method: "GET",
  path: "/merchants/{id}",
  summary: "Get a merchant",
  description: "Shows one merchant: its name, tax number, branch, metadata, and whether it is archived.",
  response: MerchantObjectSchema,
  verb: {
    argument: "merchant",
    summary: { en: "show one merchant", el: "μία επιχείρηση" },
    examples: ["fiscal merchants show shop --json"],
  },
  rows,
  handle: async ({ context, id }) => data(await logic.getMerchant(context, id)),
});

export const updateMerchant = operation({
  id: "updateMerchant",
  method: "PATCH",
  path: "/merchants/{id}",
  summary: "Update a merchant",
  description:
    "Changes the given fields. Metadata is merged: a key set to null is removed. A test key cannot change name, tax_id or branch of a merchant that is in use live: one with a live connection or a live document.",
  body: UpdateMerchantSchema,
  example: { name: "Παράδειγμα Εμπορική Α.Ε.", metadata: { plan: null, region: "north" } },
  response: MerchantObjectSchema,
  errors: ["already_exists", "invalid_state"],
  verb: {
    argument: "merchant",
    summary: { en: "change a merchant's details", el: "αλλάζει τα στοιχεία μιας επιχείρησης" },
    flags: {
      ...DETAILS,
      metadata: {
        ...METADATA,
        isRemovable: true,
        help: {
          en: "set a key; an empty value removes it; may be repeated",
          el: "ορίζει ένα ζεύγος ονόματος και τιμής· κενή τιμή το αφαιρεί· επαναλαμβάνεται",
        },
      },
    },
    examples: ["fiscal merchants update shop --branch 2"],
  },
  rows,
  handle: async ({ context, id, body, cause }) => data(await logic.updateMerchant(context, id, body, cause)),
});

export const archiveMerchant = operation({
  id: "archiveMerchant",
  method: "POST",
  path: "/merchants/{id}/archive",
  summary: "Archive a merchant",
  description:
    "Stops a merchant from issuing anything new. Documents accepted before continue; `unarchiveMerchant` undoes it. One that is in use live needs a live key.",
  response: MerchantObjectSchema,
  errors: ["invalid_state"],
  verb: {
    argument: "merchant",
    summary: { en: "stop issuing for a merchant", el: "παύει η έκδοση για μια επιχείρηση" },
    examples: ["fiscal merchants archive shop --yes"],
  },
  rows,
  handle: async ({ context, id, cause }) => data(await logic.archiveMerchant(context, id, cause)),
});

export const unarchiveMerchant = operation({
  id: "unarchiveMerchant",
  method: "POST",
  path: "/merchants/{id}/unarchive",
  summary: "Unarchive a merchant",
  description: "Allows an archived merchant to issue again. One that is in use live needs a live key.",
  isAdditive: true,
  response: MerchantObjectSchema,
  errors: ["invalid_state"],
  verb: {
    argument: "merchant",
    summary: { en: "issue for an archived merchant again", el: "ξαναρχίζει η έκδοση για μια επιχείρηση" },
    examples: ["fiscal merchants unarchive shop"],
  },
  rows,
  handle: async ({ context, id, cause }) => data(await logic.unarchiveMerchant(context, id, cause)),
});

export const getMerchantSettings = operation({
  id: "getMerchantSettings",
  method: "GET",
  path: "/merchants/{id}/settings",
  summary: "Get a merchant's settings",
  description:
    "Shows how a merchant issues in the key's mode: income classification and series by document type, and the letterhead of its PDFs.",
  response: SettingsSchema,
  async handle({ context, id, cause }) {
    return data(await getSettings(context, id, cause.mode), id);
  },
});

export const updateMerchantSettings = operation({
  id: "updateMerchantSettings",
  method: "PUT",
  path: "/merchants/{id}/settings",
  summary: "Replace a merchant's settings",
  description:
    "Replaces all settings of the key's mode: what is left out is removed. Read them with `getMerchantSettings` first, and send them back changed.",
  body: SettingsSchema,
  example: {
    classification: { "1.1": { category: "category1_2", type: "E3_561_001" } },
    numbering: { "1.1": { series: "A", next_number: 1201 } },
    paper: {
      phone: "2101234567",
      gemi: "000237901000",
      tax_office: "ΚΕΦΟΔΕ Αττικής",
      branches: { "3": { address: "Τσιμισκή 3, 54625 Θεσσαλονίκη" } },
      language: "el",
    },
    vat_payment_suspension: false,
    on_issue: "nothing",
    closed_until: null,
  },
  response: SettingsSchema,
  errors: ["service_unavailable"],
  async handle({ context, id, body, cause }) {
    return data(await putSettings(context, id, body, cause.mode), id);
  },
});

const ChangeSettingsSchema = v.strictObject({
  settings: v.optional(v.unknown()),
  // A record of valibot would leave out a field named __proto__ instead of refusing it.
  paper: v.optional(
    v.custom<Readonly<Record<string, string>>>((value) => typeof value === "object" && value !== null),
  ),
  closed_until: v.optional(v.nullable(v.string())),
  on_issue: v.optional(v.string()),
});

/** Shows the settings, replaces all of them, or changes single ones. */
export const changeMerchantSettings = localOperation({
  id: "changeMerchantSettings",
  body: ChangeSettingsSchema,
  fields: Object.keys(SettingsSchema.entries),
  verb: {
    argument: "merchant",
    summary: {
      en: "show the settings of the mode (classification, numbering, paper, VAT on payment), or replace all of them from a JSON file",
      el: "δείχνει τις ρυθμίσεις της λειτουργίας (χαρακτηρισμοί, αρίθμηση, έντυπο, ΦΠΑ κατά την είσπραξη) ή τις αντικαθιστά όλες από αρχείο JSON",
    },
    flags: {
      settings: {
        name: "file <file>",
        kind: "json",
        help: {
          en: "the new settings; - is standard input",
          el: "οι νέες ρυθμίσεις· το - είναι η τυπική είσοδος",
        },
      },
      paper: {
        name: "paper <field=value>",
        kind: "pairs",
        help: {
          en: "change a field that PDFs show, such as address or phone; an empty value removes it, logo takes a file (repeatable)",
          el: "αλλάζει ένα πεδίο που δείχνουν τα PDF, όπως address ή phone· με κενή τιμή αφαιρείται, το logo δέχεται αρχείο (επαναλαμβάνεται)",
        },
      },
      closed_until: {
        name: "closed-until <day>",
        isRemovable: true,
        help: {
          en: "close the books: refuse documents dated on this day or before; an empty value opens them again",
          el: "κλείνει τα βιβλία: δεν δέχεται παραστατικά με ημερομηνία έως και αυτή την ημέρα· με κενή τιμή ανοίγουν πάλι",
        },
      },
      on_issue: {
        name: "on-issue <what>",
        words: ON_ISSUE_WORDS,
        help: {
          en: "what happens once a document is issued: mail (its PDF, to where the customer's last document was mailed) or nothing",
          el: "τι γίνεται μόλις εκδοθεί ένα παραστατικό: mail (στέλνεται το PDF εκεί όπου στάλθηκε το τελευταίο του πελάτη) ή nothing (τίποτα)",
        },
      },
    },
    examples: [
      "fiscal merchants settings shop --json > settings.json",
      "fiscal merchants settings shop --file settings.json",
      "fiscal merchants settings shop --live --file settings.json",
      "fiscal merchants settings shop --closed-until 2025-10-31",
      'fiscal merchants settings shop --paper "address=Ερμού 12, 10563 Αθήνα" --paper "phone=210 1234567"',
    ],
  },
  async handle({ context, mode, id, body }) {
    const { settings, paper, ...changes } = parseWith(ChangeSettingsSchema, body, "");
    if (settings !== undefined) return data(await putSettings(context, id, settings, mode));
    const present = await getSettings(context, id, mode);
    if (paper === undefined && Object.keys(changes).length === 0) return data(present);
    const changed = paper === undefined ? {} : { paper: changePaper(present.paper, paper) };
    return data(await changeSettings(context, id, mode, { ...changed, ...changes }));
  },
});
