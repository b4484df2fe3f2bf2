/** `fiscal backup verify`: checks whether a backup can be restored, without changing anything. */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote } from "../io.ts";
import { addExamples } from "../options.ts";
import { PASSPHRASE_FILE, unpackedFields, unpackedObject, WITHOUT_CHECKSUM } from "../ui/backup-view.ts";
import { printJson } from "../ui/json.ts";
import { printFields } from "../ui/table.ts";

interface VerifyOptions {
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

export function defineVerify(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  command
    .option("--passphrase-file <file>", inLanguage(PASSPHRASE_FILE))
    .option("--without-checksum", inLanguage(WITHOUT_CHECKSUM))
    // `backup` has --passphrase-file too, and commander decides which of the two commands receives it.
    .action((file: string, _own: VerifyOptions, verb: Command) =>
      context.end(runVerify(context, file, verb.optsWithGlobals<VerifyOptions>())),
    );
  addExamples(command, context, "fiscal backup verify fiscal-yesterday.db");
}

async function runVerify(context: CommandContext, file: string, options: VerifyOptions): Promise<ExitCode> {
  const { io } = context;
  const config = await context.configuration();
  const { verifyBackup } = await import("../../src/upkeep/backup/backup-places.ts");
  const { passphraseOf } = await import("../../src/upkeep/backup/backup-places.ts");
  const given = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
  const path = resolve(io.cwd, file);
  const verified = await verifyBackup(config, {
    file: path,
    passphrase: await passphraseOf(config, given),
    withoutChecksum: options.withoutChecksum === true,
  });
  if (context.options.json === true)
    await printJson(io, {
      ...unpackedObject(path, verified),
      sound: true,
      key_tried: verified.keyTried,
    });
  else await printFields(io, unpackedFields(path, verified));
  await printNote(
    io,
    verified.keyTried
      ? {
          en: "The backup is intact, and the master key here opens it.",
          el: "Το αντίγραφο είναι ακέραιο, και το κύριο κλειδί εδώ του ταιριάζει.",
        }
      : {
          en: "The backup is intact. There is no master key here to try with it.",
          el: "Το αντίγραφο είναι ακέραιο. Δεν δοκιμάστηκε κύριο κλειδί, γιατί εδώ δεν υπάρχει.",
        },
  );
  return EXIT.done;
}
