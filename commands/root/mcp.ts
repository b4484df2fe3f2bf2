/** `fiscal mcp`: serves Model Context Protocol tools over standard input and output, directly on the data directory. */
import type { SessionTools } from "../../server/mcp/toolsets.ts";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, UsageError } from "../exit.ts";
import { nameOf, readBytes, readText } from "../input-files.ts";
import { printProblem } from "../io.ts";
import { diagnoseInEnglish } from "./doctor.ts";
import { verb } from "../define.ts";

export const defineMcp = verb({
  flags: {
    "--read-only": {
      en: "offer only tools that change nothing",
      el: "προσφέρει μόνο τα εργαλεία που δεν αλλάζουν τίποτα",
    },
    "--tools <sets>": {
      en: "offer these toolsets, separated by commas, or all; by default those for issuing and explaining documents",
      el: "προσφέρει αυτές τις ομάδες εργαλείων, χωρισμένες με κόμμα, ή all· χωρίς αυτό, όσες χρειάζονται για έκδοση και αναζήτηση παραστατικών",
    },
    "--api-key-file <file>": {
      en: "act as this API key, in its mode and while it is valid; without it, act as the command line",
      el: "ενεργεί ως αυτό το κλειδί API, στη λειτουργία του και όσο ισχύει· χωρίς κλειδί, όπως η γραμμή εντολών",
    },
  },
  examples: ["fiscal --data-dir ./data mcp --read-only", "fiscal mcp --tools documents,merchants,logs"],
  makesDatabase: true,
  /**
   * Ends at the end of its input or at a signal. Calls in progress are then answered and the issued documents processed,
   * both within `server.shutdown_seconds`.
   */
  async run(context, options) {
    const { io } = context;
    const key = await readKey(context, options.apiKeyFile);
    const toolsets = await toolsetsOf(options.tools, key !== undefined);
    await context.interruptible(async (appliance, mode, signal) => {
      const { OPERATIONS } = await import("../../server/app.ts");
      const { serveStdio } = await import("../../server/mcp/stdio.ts");
      const authorise = await authorisation(context, appliance, key, mode);
      const readsOnly = options.readOnly === true;
      const deadlineMs = appliance.config.server.shutdownSeconds * 1000;
      // Documents issued here are processed even if no server is running.
      if (!readsOnly) await appliance.startScheduler();
      const documentIds = await serveStdio(appliance, {
        input: io.stdin,
        output: io.stdout,
        operations: OPERATIONS,
        readsOnly,
        toolsets,
        diagnose: key === undefined ? () => diagnoseInEnglish(context) : undefined,
        authorise,
        signal,
        deadlineMs,
      });
      await finishDocuments(context, appliance, documentIds, signal, deadlineMs);
    });
    return EXIT.done;
  },
});

async function toolsetsOf(written: string | undefined, hasKey: boolean): Promise<SessionTools> {
  const { chooseToolsets, describeChoice, KEY_TOOLSETS, OPERATOR_TOOLSETS } = await import(
    "../../server/mcp/toolsets.ts"
  );
  const available = hasKey ? KEY_TOOLSETS : OPERATOR_TOOLSETS;
  const chosen = chooseToolsets(written, available);
  if (chosen !== undefined) return chosen;
  const { en, el } = describeChoice(available);
  throw new UsageError({ en: `--tools ${en}`, el: `--tools: ${el}` });
}

async function readKey(context: CommandContext, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  if (file === "-")
    throw new UsageError({
      en: "--api-key-file takes a file: standard input carries the protocol",
      el: "η --api-key-file δέχεται αρχείο: από την τυπική είσοδο περνά το πρωτόκολλο",
    });
  return (await readText(readBytes(context.io, file), nameOf(file))).trim();
}

/** Returns a function that checks the key before every call and returns its mode. Rejects an unusable key at once. */
async function authorisation(
  context: CommandContext,
  appliance: Appliance,
  key: string | undefined,
  mode: Mode,
): Promise<() => Promise<Mode>> {
  if (key === undefined) return async () => mode;
  const { authenticateKey } = await import("../../src/keys/api-keys.ts");
  const authorise = async () => {
    const known = await authenticateKey(appliance, key);
    if (known !== undefined) return known.mode;
    throw new AppError("unauthorized", {
      en: "The API key in --api-key-file is not valid or no longer valid; `fiscal keys create` creates another",
      el: "Το κλειδί API της --api-key-file δεν ισχύει, ή δεν ισχύει πια· άλλο φτιάχνει η `fiscal keys create`",
    });
  };
  const keyMode = await authorise();
  if (context.options.live === true && keyMode !== "live")
    throw new UsageError({
      en: "--live contradicts the API key, which is a test key",
      el: "--live και το κλειδί API αντιφάσκουν μεταξύ τους: το κλειδί είναι δοκιμαστικό",
    });
  return authorise;
}

/** Processes the documents as `documents issue` does, until a signal; a server or the next run does the rest. */
async function finishDocuments(
  { io }: CommandContext,
  appliance: Appliance,
  documentIds: ReadonlySet<string>,
  interrupted: AbortSignal,
  deadlineMs: number,
): Promise<void> {
  if (documentIds.size === 0) return;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([interrupted, deadline]);
  await appliance.issuing.drain({ documentIds, signal });
  if (signal.aborted)
    await printProblem(io, {
      en: "Documents of this session may still be pending; a running server or the next command that issues continues with them.",
      el: "Ίσως εκκρεμούν ακόμη παραστατικά αυτής της συνεδρίας· τα συνεχίζει ένας διακομιστής ή η επόμενη εντολή που εκδίδει.",
    });
}
