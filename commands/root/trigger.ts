/** `fiscal trigger`: issues a made-up document in the sandbox, which plays one of its scenes. */
import type { Appliance } from "../../src/appliance.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { TYPE_WORDS } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../../src/domain/document-types.ts";
import { DocumentObjectSchema } from "../../src/journal/document-object.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { type Scene, SCENES } from "../../src/providers/sandbox/scenes.ts";
import { causeOf } from "../context.ts";
import { sendQueued } from "../documents/issue-one.ts";
import { timeoutOf, WAIT_FLAGS } from "../documents/waiting.ts";
import { EXIT, UsageError } from "../exit.ts";
import { findMerchant, findOrCreateMerchant } from "../merchants/find-merchant.ts";
import { interruptible } from "../io.ts";
import { named } from "../named-code.ts";
import { choice } from "../options.ts";
import { type Flags, verb } from "../define.ts";

/** The merchant of triggered documents, if none is named. A second run finds it by its external id. */
const MERCHANT = { external_id: "trigger", name: "Παράδειγμα Α.Ε.", tax_id: "123456783" };

const FLAGS = {
  "--type <type>": {
    en: `type of the document: ${DOCUMENT_TYPES.join(", ")} (default 1.1)`,
    el: `τύπος του παραστατικού: ${DOCUMENT_TYPES.join(", ")} (αν λείπει: 1.1)`,
    read: named(DOCUMENT_TYPES, TYPE_WORDS),
  },
  "--merchant <merchant>": {
    en: "id or external id of the merchant (default: one named trigger, created if it is missing)",
    el: "id ή εξωτερικό id της επιχείρησης (αν λείπει: μία με όνομα trigger, που δημιουργείται)",
  },
  ...WAIT_FLAGS,
} satisfies Flags;

export const defineTrigger = verb({
  argument: ["<scene>", { ...sameInBoth(SCENES.join(", ")), read: choice(SCENES) }],
  flags: FLAGS,
  examples: ["fiscal trigger rejected", "fiscal trigger timeout --type 11.1"],
  makesDatabase: true,
  fields: Object.keys(DocumentObjectSchema.entries),
  /** Exits with 0 however the document ends: a refusal is what was asked for. */
  async run(context, options, scene: Scene) {
    if ((await context.mode()) === "live")
      throw new UsageError({
        en: "trigger plays scenes of the sandbox, which is in test mode only: omit --live",
        el: "το trigger παίζει σενάρια του sandbox, που υπάρχει μόνο στη δοκιμαστική λειτουργία: παραλείψτε το --live",
      });
    const { acceptDocument } = await import("../../src/documents/accept.ts");
    // Refuses flags that contradict each other before a document is accepted.
    timeoutOf(options);
    const { status } = await context.withAppliance(async (appliance, mode) => {
      const merchant = await (options.merchant === undefined
        ? findOrCreateMerchant(appliance, MERCHANT)
        : findMerchant(appliance, options.merchant));
      const body = await madeUpBody(appliance, merchant, scene, options.type ?? "1.1");
      const { id } = await acceptDocument(appliance, body, causeOf(mode));
      return interruptible(context.io, (signal) =>
        sendQueued({ context, appliance, mode }, id, options, signal),
      );
    });
    return options.wait && status === "pending" ? EXIT.unavailable : EXIT.done;
  },
});

/** The body of POST /documents: the template's document, issued by this merchant. */
async function madeUpBody(
  appliance: Appliance,
  merchant: MerchantObject,
  scene: Scene,
  type: DocumentType,
): Promise<unknown> {
  const { buildJsonTemplate } = await import("../../src/intake/template.ts");
  const text = buildJsonTemplate({ type, today: appliance.clock.today() });
  const { document } = JSON.parse(text) as { document: { supplier: { tax_id: { code: string } } } };
  if (merchant.tax_id !== null) document.supplier.tax_id.code = merchant.tax_id;
  return { merchant: merchant.id, provider: "sandbox", metadata: { sandbox: scene }, document };
}
