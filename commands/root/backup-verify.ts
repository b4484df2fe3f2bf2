/** `fiscal backup verify`: checks whether a backup can be restored, without changing anything. */
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote } from "../io.ts";
import { PASSPHRASE_FILE, unpackedFields, unpackedObject, WITHOUT_CHECKSUM } from "../ui/backup-view.ts";
import { printJson } from "../ui/json.ts";
import { printFields } from "../ui/table.ts";
import { verb } from "../define.ts";

interface VerifyOptions {
  passphraseFile?: string;
  withoutChecksum?: boolean;
}

export const defineVerify = verb({
  flags: {
    "--passphrase-file <file>": PASSPHRASE_FILE,
    "--without-checksum": WITHOUT_CHECKSUM,
  },
  examples: ["fiscal backup verify fiscal-yesterday.db"],
  run: (context: CommandContext, file: string, _own: VerifyOptions, command: Command) =>
    runVerify(context, file, command.optsWithGlobals<VerifyOptions>()),
});

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
