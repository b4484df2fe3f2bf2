/** Operations on API keys (docs/contract.md#api-keys). */
import * as v from "valibot";
import { MODES } from "../../storage/stored-values.ts";
import { integerBetween } from "../foundation/field-schemas.ts";
import { parseWith } from "../foundation/validation.ts";
import { must } from "../foundation/field-checks.ts";
import { KEY_FORM, readKey } from "../keys/key-files.ts";
import * as logic from "../keys/api-keys.ts";
import { OVERLAP_DAYS_MAX, rollKey as roll } from "../keys/api-keys.ts";
import { instantText, LABELS, optionalInstantText, wordText } from "./view.ts";
import { type BodyFlag, data, localOperation, wholeList } from "./operation.ts";

const FIELDS = "id object mode name last4 created expires_at revoked_at last_used_at".split(" ");

const LIFETIME = v.optional(integerBetween(1, logic.EXPIRY_DAYS_MAX));
const CreateSchema = v.strictObject({ mode: v.picklist(MODES), name: v.string(), expires_in: LIFETIME });

export const createKey = localOperation({
  id: "createKey",
  body: CreateSchema,
  fields: [...FIELDS, "secret"],
  verb: {
    makesDatabase: true,
    summary: {
      en: "create a key and print its secret, which is shown only once",
      el: "δημιουργεί κλειδί και τυπώνει το απόρρητό του, που εμφανίζεται μόνο μία φορά",
    },
    flags: {
      mode: {
        name: "mode <test|live>",
        words: MODES,
        help: {
          en: "test for the sandbox and test accounts, live for the authority",
          el: "test για το περιβάλλον δοκιμών και δοκιμαστικούς λογαριασμούς, live για την ΑΑΔΕ",
        },
        ask: { en: "Mode (test or live)", el: "Λειτουργία (test ή live)" },
      },
      name: {
        name: "name <text>",
        help: { en: "what the key is for", el: "σε τι χρησιμεύει το κλειδί" },
        ask: { en: "What is the key for?", el: "Σε τι χρησιμεύει το κλειδί;" },
      },
      expires_in: lifetimeFlag({ en: "days until the key expires", el: "ημέρες μέχρι να λήξει" }),
    },
    examples: ['fiscal keys create --mode test --name "web shop" --expires-in 365'],
  },
  async handle({ context, body }) {
    const { expires_in: expiresInDays, ...key } = parseWith(CreateSchema, body, "");
    return data(await logic.createKey(context, { ...key, expiresInDays }));
  },
});

function lifetimeFlag(help: BodyFlag["help"]): BodyFlag {
  return { name: "expires-in <days>", kind: "integer", help };
}

export const listKeys = localOperation({
  id: "listKeys",
  fields: FIELDS,
  verb: {
    summary: {
      en: "list all keys, newest first, without their secrets",
      el: "όλα τα κλειδιά, πρώτα τα νεότερα, χωρίς τα απόρρητά τους",
    },
    examples: ["fiscal keys list"],
  },
  table: {
    none: { en: "No keys.", el: "Δεν υπάρχουν κλειδιά.", next: { operation: "createKey" } },
    columns: [
      { head: "id", value: (key: logic.KeyObject) => key.id },
      { head: LABELS.mode, value: (key) => wordText(key.mode) },
      { head: { en: "name", el: "όνομα" }, shortens: true, value: (key) => key.name },
      { head: { en: "ends in", el: "τελειώνει σε" }, leaveOut: 4, value: (key) => `…${key.last4}` },
      { head: LABELS.created, leaveOut: 1, value: (key) => instantText(key.created) },
      {
        head: { en: "last used", el: "τελευταία χρήση" },
        leaveOut: 2,
        value: (key) => optionalInstantText(key.last_used_at),
      },
      {
        head: { en: "expires", el: "λήγει" },
        leaveOut: 3,
        value: (key) => (key.expires_at === null ? wordText("never") : instantText(key.expires_at)),
      },
      { head: { en: "revoked", el: "καταργήθηκε" }, value: (key) => optionalInstantText(key.revoked_at) },
    ],
  },
  handle: async ({ context }) => wholeList(await logic.listKeys(context)),
});

export const revokeKey = localOperation({
  id: "revokeKey",
  fields: FIELDS,
  verb: {
    argument: "key",
    summary: {
      en: "revoke a key, by id, name or last four characters",
      el: "καταργεί ένα κλειδί, με id, όνομα ή τους τέσσερις τελευταίους χαρακτήρες",
    },
    examples: ['fiscal keys revoke "web shop" --yes'],
  },
  handle: async ({ context, id }) => data(await logic.revokeKey(context, id)),
});

const RotateSchema = v.strictObject({
  new_key: v.optional(
    v.pipe(
      v.string(),
      must((text) => readKey(text) !== undefined, KEY_FORM),
    ),
  ),
});

export const rotateMasterKey = localOperation({
  id: "rotateMasterKey",
  body: RotateSchema,
  fields: ["object", "from", "to", "resumed", "resealed", "unreadable", "retired_key_file"],
  verb: {
    summary: {
      en: "replace the master key and encrypt all secrets again with the new one",
      el: "αντικαθιστά το κύριο κλειδί και κρυπτογραφεί ξανά όλα τα απόρρητα με το νέο",
    },
    flags: {
      new_key: {
        name: "new-key-file <file>",
        kind: "file",
        help: {
          en: "the new key: 64 hexadecimal digits, or base64 of 32 bytes (default: a random key)",
          el: "το νέο κλειδί: 64 δεκαεξαδικά ψηφία, ή base64 από 32 byte (αν λείπει: τυχαίο)",
        },
      },
    },
    examples: ["fiscal keys rotate-master --yes"],
  },
  async handle({ context, body, onProgress }) {
    const { new_key: newKey = "" } = parseWith(RotateSchema, body, "");
    const { rotateMasterKey: rotate } = await import("../keys/rotation.ts");
    return data(await rotate(context, { newKey: readKey(newKey), onProgress }));
  },
});

const OVERLAP_DAYS_DEFAULT = 7;
const RollSchema = v.strictObject({
  overlap: v.optional(integerBetween(0, OVERLAP_DAYS_MAX), OVERLAP_DAYS_DEFAULT),
  expires_in: LIFETIME,
});

export const rollKey = localOperation({
  id: "rollKey",
  body: RollSchema,
  fields: [...FIELDS, "secret", "replaces"],
  verb: {
    argument: "key",
    summary: {
      en: "replace a key and print the new secret, which is shown only once; the old key works a while longer",
      el: "αντικαθιστά ένα κλειδί και τυπώνει το νέο απόρρητο, μόνο μία φορά· το παλιό ισχύει για λίγο ακόμη",
    },
    flags: {
      overlap: {
        name: "overlap <days>",
        kind: "integer",
        help: {
          en: `days until the old key ends (default ${OVERLAP_DAYS_DEFAULT}); 0 revokes it at once`,
          el: `ημέρες που το παλιό ισχύει ακόμη (αν λείπει: ${OVERLAP_DAYS_DEFAULT})· με 0 καταργείται αμέσως`,
        },
      },
      expires_in: lifetimeFlag({
        en: "days until the new key expires (default: the lifetime of the old key)",
        el: "ημέρες μέχρι να λήξει το νέο (αν λείπει: όση διάρκεια είχε το παλιό)",
      }),
    },
    examples: ['fiscal keys roll "web shop" --overlap 14'],
  },
  async handle({ context, id, body }) {
    const { overlap, expires_in: expiresInDays } = parseWith(RollSchema, body, "");
    return data(await roll(context, id, { overlapDays: overlap, expiresInDays }));
  },
});
