/** The exit code of a command that sends one document (docs/contract.md#exit-codes). */
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { EXIT, type ExitCode } from "../exit.ts";

export function exitOfDocument({ status }: DocumentObject, hasWaited: boolean): ExitCode {
  if (status === "rejected") return EXIT.refused;
  if (status === "failed") return EXIT.unavailable;
  return status === "pending" && hasWaited ? EXIT.unavailable : EXIT.done;
}
