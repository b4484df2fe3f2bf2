/** `fiscal errors explain`: what an error code of the tax authority means, and what to do about it. */
import { type Commands, noun, verb } from "../define.ts";
import { explainCode } from "../../src/domain/authority-codes.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { UsageError } from "../exit.ts";
import { withCommand } from "../next-steps.ts";

const defineExplain = verb({
  examples: ["fiscal errors explain 102", "fiscal errors explain 102 --lang el"],
  fields: ["code", "meaning", "next"],
  async run(_context, _options, code: string) {
    if (!/^\d{3}$/.test(code))
      throw new UsageError({
        en: "the code is one of the tax authority's, which have three digits, such as 102",
        el: "ο κωδικός είναι της ΑΑΔΕ, με τρία ψηφία, όπως 102",
      });
    const explained = explainCode(code);
    if (explained === undefined)
      throw new AppError("not_found", {
        en: "The meaning of this code is not known; the authority's own message, which `fiscal documents show` prints, says more",
        el: "Η σημασία αυτού του κωδικού δεν είναι γνωστή· περισσότερα λέει το μήνυμα της ΑΑΔΕ, που τυπώνει η `fiscal documents show`",
      });
    const { meaning, next } = explained;
    return {
      object: { code, meaning: meaning.en, next: withCommand(next).en },
      shown: [
        [{ en: "code", el: "κωδικός" }, code],
        [{ en: "meaning", el: "σημασία" }, meaning],
        [{ en: "what to do", el: "τι να κάνετε" }, next],
      ],
    };
  },
});

const VERBS: Commands = {
  explain: {
    arguments: "<code>",
    en: "say what an error code of the tax authority means and what to do about it",
    el: "εξηγεί έναν κωδικό σφάλματος της ΑΑΔΕ και τι μπορείτε να κάνετε",
    load: async () => defineExplain,
  },
};

export const defineErrors = noun(VERBS, "fiscal errors explain 102");
