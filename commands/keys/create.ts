/** `fiscal keys create`: creates an API key and prints its secret. */
import { createKey, EXPIRY_DAYS_MAX } from "../../src/keys/api-keys.ts";
import { MODES, type Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { printNote, write } from "../io.ts";
import { choice, integer } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { askFor, canPrompt } from "../ui/prompt.ts";
import { wordText } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

interface CreateOptions {
  mode?: Mode;
  name?: string;
  expiresIn?: number;
}

const readMode = choice(MODES)("--mode");

export const defineCreate = verb({
  flags: {
    "--mode <test|live>": {
      en: "test for the sandbox and test accounts, live for the authority",
      el: "test για το περιβάλλον δοκιμών και δοκιμαστικούς λογαριασμούς, live για την ΑΑΔΕ",
      read: () => readMode,
    },
    "--name <text>": { en: "what the key is for", el: "σε τι χρησιμεύει το κλειδί" },
    "--expires-in <days>": {
      en: "days until the key expires",
      el: "ημέρες μέχρι να λήξει",
      read: integer(1, EXPIRY_DAYS_MAX),
    },
  },
  examples: ['fiscal keys create --mode test --name "web shop" --expires-in 365'],
  run: create,
});

async function create(context: CommandContext, options: CreateOptions): Promise<void> {
  const { io } = context;
  const mode = await chooseMode(context, options.mode);
  const name = await askFor(io, options.name, {
    flag: "--name",
    message: { en: "What is the key for?", el: "Σε τι χρησιμεύει το κλειδί;" },
  });
  const key = await context.withAppliance((appliance) =>
    createKey(appliance, { mode, name, expiresInDays: options.expiresIn }),
  );
  if (context.options.json === true) return printJson(io, key);
  await write(io.stdout, `${key.secret}\n`);
  const modeWord = wordText(key.mode);
  await printNote(io, {
    en: `This is the ${modeWord.en} key "${key.name}". Save it now: it cannot be shown again.`,
    el: `Αυτό είναι το κλειδί «${key.name}» (λειτουργία: ${modeWord.el}). Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.`,
  });
}

/** `--live` means the same as `--mode live`. */
async function chooseMode({ io, options }: CommandContext, given: Mode | undefined): Promise<Mode> {
  const isLive = options.live === true;
  if (given === "test" && isLive)
    throw new UsageError({
      en: "--live and --mode test contradict each other",
      el: "οι --live και --mode test αντιφάσκουν μεταξύ τους",
    });
  const mode = given ?? (isLive ? "live" : undefined);
  if (mode !== undefined) return mode;
  if (!canPrompt(io))
    throw new UsageError({ en: "--mode is missing: test or live", el: "λείπει η --mode: test ή live" });
  const message = { en: "Mode (test or live)", el: "Λειτουργία (test ή live)" };
  return readMode(await askFor(io, undefined, { flag: "--mode", message }));
}
