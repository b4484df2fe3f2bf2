/** `fiscal keys`: API keys, which only the command line creates, and the master key. See docs/contract.md#api-keys. */
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import { findUsableKey, type KeyObject } from "../../src/keys/api-keys.ts";
import * as operations from "../../src/operations/keys.ts";
import { instantText, wordText } from "../../src/operations/view.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { noun } from "../define.ts";
import { UsageError } from "../exit.ts";
import type { FlagValues } from "../flags.ts";
import { ROTATE_MASTER } from "./rotate-master.ts";
import { type Given, verbOf } from "../verb.ts";

export const defineKeys = noun(
  [
    verbOf("create", operations.createKey, {
      complete: withMode,
      line: ({ secret }) => sameInBoth(secret),
      notes: ({ mode, name }, { context }) =>
        context.options.json === true ? [] : [saveNow({ en: "the", el: "το" }, mode, name)],
    }),
    verbOf("list", operations.listKeys),
    verbOf("revoke", operations.revokeKey, {
      confirm: (asked) => askToRevoke(asked),
      line: ({ id }) => ({ en: `${id} revoked`, el: `${id} καταργήθηκε` }),
    }),
    verbOf("roll", operations.rollKey, {
      confirm: async (asked) => (asked.flags["overlap"] === 0 ? askToRevoke(asked) : undefined),
      line: ({ secret }) => sameInBoth(secret),
      notes: ({ mode, name, replaces }, { context }) =>
        context.options.json === true
          ? []
          : [saveNow({ en: "the new", el: "το νέο" }, mode, name), describeOldKey(replaces)],
    }),
    ROTATE_MASTER,
  ],
  'fiscal keys create --mode test --name "web shop"',
  "fiscal keys list",
);

/** `--live` means the same as `--mode live`. */
function withMode({ options }: CommandContext, flags: FlagValues): FlagValues {
  if (options.live !== true) return flags;
  if (flags["mode"] === "test")
    throw new UsageError({
      en: "--live and --mode test contradict each other",
      el: "οι --live και --mode test αντιφάσκουν μεταξύ τους",
    });
  return { ...flags, mode: "live" };
}

function saveNow(which: Text, mode: string, name: string): Text {
  const word = wordText(mode);
  return {
    en: `This is ${which.en} ${word.en} key "${name}". Save it now: it cannot be shown again.`,
    el: `Αυτό είναι ${which.el} κλειδί «${name}» (λειτουργία: ${word.el}). Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.`,
  };
}

async function askToRevoke({ appliance, params }: Given): Promise<Text> {
  const { name, id, last4, mode } = await findUsableKey(appliance, params["id"] ?? "");
  return questionAbout(
    { en: "Revoke the key", el: "Να καταργηθεί το κλειδί" },
    [name, id, `…${last4}`, modeText(mode)],
    {
      en: "Programs that use it will be refused.",
      el: "Τα προγράμματα που το χρησιμοποιούν θα απορρίπτονται.",
    },
  );
}

function describeOldKey({ id, last4, expires_at: expiresAt, revoked_at: revokedAt }: KeyObject): Text {
  if (expiresAt === null || revokedAt !== null)
    return {
      en: `The old key, ${id} (…${last4}), is revoked.`,
      el: `Το παλιό, ${id} (…${last4}), καταργήθηκε.`,
    };
  const end = instantText(expiresAt);
  return {
    en: `The old key, ${id} (…${last4}), works until ${end.en}.`,
    el: `Το παλιό, ${id} (…${last4}), ισχύει έως ${end.el}.`,
  };
}
