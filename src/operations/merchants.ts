/** Operations on merchants: create, list, get, update, archive, unarchive, settings. */
import { CreateMerchantSchema, SettingsSchema, UpdateMerchantSchema } from "../merchants/merchant-input.ts";
import {
  archiveMerchant,
  createMerchant,
  getMerchant,
  listMerchants,
  unarchiveMerchant,
  updateMerchant,
} from "../merchants/merchants.ts";
import { getSettings, putSettings } from "../merchants/settings.ts";
import { MerchantObjectSchema } from "../merchants/merchant-object.ts";
import { created, data, list, type Operation, operation } from "./operation.ts";
import { booleanField, PAGE_FIELDS, textField } from "./field.ts";

const tag = "merchants";

const MERCHANT_RESPONSE = {
  status: 200,
  kind: "data",
  schema: MerchantObjectSchema,
  description: "The merchant.",
} as const;
const SETTINGS_RESPONSE = {
  status: 200,
  kind: "data",
  schema: SettingsSchema,
  description: "The settings.",
} as const;
const BODY_ERRORS = ["validation_failed", "payload_too_large", "unsupported_media_type"] as const;

const createMerchantOperation = operation({
  id: "createMerchant",
  method: "POST",
  path: "/merchants",
  tag,
  summary: "Create a merchant",
  description:
    "Adds a business that issues documents. Its id is in every document that it issues. Test and live keys see the same merchants.",
  query: {},
  body: CreateMerchantSchema,
  example: {
    external_id: "shop-1",
    name: "Παράδειγμα Α.Ε.",
    tax_id: "123456783",
    metadata: { plan: "standard" },
  },
  idempotency: "required",
  response: {
    ...MERCHANT_RESPONSE,
    status: 201,
    description: "The merchant, which test and live keys share.",
  },
  errors: [...BODY_ERRORS, "idempotency_conflict", "idempotency_in_progress", "already_exists"],
  async handle({ context, body, cause, claim }) {
    const result = await createMerchant(context, body, cause, claim);
    return created(result, { merchantId: result.id });
  },
});

const listMerchantsOperation = operation({
  id: "listMerchants",
  method: "GET",
  path: "/merchants",
  tag,
  summary: "List merchants",
  description: "Finds the businesses that issue documents, and their ids.",
  query: {
    ...PAGE_FIELDS,
    external_id: textField(200, "Only the merchant with this external id, ignoring case."),
    tax_id: textField(60, "Only merchants with this tax number."),
    archived: booleanField("true: only archived merchants; false: only the others."),
  },
  idempotency: "none",
  response: {
    status: 200,
    kind: "list",
    schema: MerchantObjectSchema,
    description: "A page of merchants, newest first.",
  },
  errors: ["validation_failed"],
  handle: async ({ context, query }) => list(await listMerchants(context, query)),
});

const getMerchantOperation = operation({
  id: "getMerchant",
  method: "GET",
  path: "/merchants/{id}",
  tag,
  summary: "Get a merchant",
  description: "Shows one merchant: its name, tax number, branch, metadata, and whether it is archived.",
  query: {},
  idempotency: "none",
  response: MERCHANT_RESPONSE,
  errors: ["not_found"],
  async handle({ context, params }) {
    const merchant = await getMerchant(context, params["id"] ?? "");
    return data(merchant, { merchantId: merchant.id });
  },
});

const updateMerchantOperation = operation({
  id: "updateMerchant",
  method: "PATCH",
  path: "/merchants/{id}",
  tag,
  summary: "Update a merchant",
  description:
    "Changes the given fields. Metadata is merged: a key set to null is removed. A test key cannot change name, tax_id or branch of a merchant that is in use live: one with a live connection or a live document.",
  query: {},
  body: UpdateMerchantSchema,
  example: { name: "Παράδειγμα Εμπορική Α.Ε.", metadata: { plan: null, region: "north" } },
  idempotency: "none",
  response: MERCHANT_RESPONSE,
  errors: [...BODY_ERRORS, "not_found", "already_exists", "invalid_state"],
  async handle({ context, params, body, cause }) {
    const merchant = await updateMerchant(context, params["id"] ?? "", body, cause);
    return data(merchant, { merchantId: merchant.id });
  },
});

const archiveMerchantOperation = operation({
  id: "archiveMerchant",
  method: "POST",
  path: "/merchants/{id}/archive",
  tag,
  summary: "Archive a merchant",
  description:
    "Stops a merchant from issuing anything new. Documents accepted before continue; `unarchiveMerchant` undoes it. One that is in use live needs a live key.",
  query: {},
  idempotency: "accepted",
  response: MERCHANT_RESPONSE,
  errors: ["validation_failed", "not_found", "invalid_state"],
  async handle({ context, params, cause }) {
    const merchant = await archiveMerchant(context, params["id"] ?? "", cause);
    return data(merchant, { merchantId: merchant.id });
  },
});

const unarchiveMerchantOperation = operation({
  id: "unarchiveMerchant",
  method: "POST",
  path: "/merchants/{id}/unarchive",
  tag,
  summary: "Unarchive a merchant",
  description: "Allows an archived merchant to issue again. One that is in use live needs a live key.",
  query: {},
  idempotency: "accepted",
  isAdditive: true,
  response: MERCHANT_RESPONSE,
  errors: ["validation_failed", "not_found", "invalid_state"],
  async handle({ context, params, cause }) {
    const merchant = await unarchiveMerchant(context, params["id"] ?? "", cause);
    return data(merchant, { merchantId: merchant.id });
  },
});

const getMerchantSettings = operation({
  id: "getMerchantSettings",
  method: "GET",
  path: "/merchants/{id}/settings",
  tag,
  summary: "Get a merchant's settings",
  description:
    "Shows how a merchant issues in the key's mode: income classification and series by document type, and the letterhead of its PDFs.",
  query: {},
  idempotency: "none",
  response: SETTINGS_RESPONSE,
  errors: ["not_found"],
  async handle({ context, params, cause }) {
    const id = params["id"] ?? "";
    return data(await getSettings(context, id, cause.mode), { merchantId: id });
  },
});

const updateMerchantSettings = operation({
  id: "updateMerchantSettings",
  method: "PUT",
  path: "/merchants/{id}/settings",
  tag,
  summary: "Replace a merchant's settings",
  description:
    "Replaces all settings of the key's mode: what is left out is removed. Read them with `getMerchantSettings` first, and send them back changed.",
  query: {},
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
  },
  idempotency: "none",
  response: SETTINGS_RESPONSE,
  errors: [...BODY_ERRORS, "not_found"],
  async handle({ context, params, body, cause }) {
    const id = params["id"] ?? "";
    return data(await putSettings(context, id, body, cause.mode), { merchantId: id });
  },
});

export const MERCHANT_OPERATIONS: readonly Operation[] = [
  createMerchantOperation,
  listMerchantsOperation,
  getMerchantOperation,
  updateMerchantOperation,
  archiveMerchantOperation,
  unarchiveMerchantOperation,
  getMerchantSettings,
  updateMerchantSettings,
];
