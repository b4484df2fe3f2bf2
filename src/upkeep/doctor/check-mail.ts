/** Finds mails that wait for a correction of the settings (docs/contract.md#mail). */
import { accessSync, constants } from "node:fs";
import { findDocumentsWithStuckMail } from "../../../storage/documents/mails.ts";
import { MODES } from "../../../storage/stored-values.ts";
import {
  type Check,
  counted,
  type Found,
  type Noun,
  problem,
  type TableCheckInput,
} from "./doctor-finding.ts";

const COUNTED_MAX = 1000;

const MAILS: Noun = {
  one: { en: "mail waits", el: "email περιμένει" },
  many: { en: "mails wait", el: "email περιμένουν" },
};

const CAUSES = [
  {
    reason: "login",
    message: {
      en: "the mail server refuses mail.user or its password",
      el: "ο διακομιστής αλληλογραφίας δεν δέχεται το mail.user ή τον κωδικό του",
    },
    next: {
      en: "correct mail.user, or the password in the file of mail.password_file; the mails then go out by themselves",
      el: "διορθώστε το mail.user ή τον κωδικό στο αρχείο του mail.password_file· έπειτα τα email φεύγουν μόνα τους",
    },
  },
  {
    reason: "certificate",
    message: {
      en: "the connection to the mail server cannot be encrypted",
      el: "η σύνδεση με τον διακομιστή αλληλογραφίας δεν μπορεί να κρυπτογραφηθεί",
    },
    next: {
      en: "check mail.host, mail.port and mail.secure, and the server's certificate; the mails then go out by themselves",
      el: "ελέγξτε τα mail.host, mail.port και mail.secure και το πιστοποιητικό του διακομιστή· έπειτα τα email φεύγουν μόνα τους",
    },
  },
] as const;

export const mailCheck: Check<TableCheckInput> = {
  name: "mail",
  async find(input) {
    const { mail } = input.config;
    return mail.host === "" ? [] : [...checkPassword(mail.passwordFile), ...(await findStuck(input))];
  },
  ok: ({ config }) =>
    config.mail.host === ""
      ? { en: "No mail server is configured.", el: "Δεν έχει οριστεί διακομιστής αλληλογραφίας." }
      : { en: "No mail waits for a correction.", el: "Κανένα email δεν περιμένει διόρθωση." },
};

function checkPassword(file: string): Found[] {
  if (file === "") return [];
  try {
    accessSync(file, constants.R_OK);
    return [];
  } catch {
    return [
      problem(
        {
          en: `The file of mail.password_file, ${file}, cannot be read.`,
          el: `Το αρχείο του mail.password_file, ${file}, δεν διαβάζεται.`,
        },
        {
          en: "correct the path, or its permissions",
          el: "διορθώστε τη διαδρομή ή τα δικαιώματά του",
        },
      ),
    ];
  }
}

async function findStuck({ inspection }: TableCheckInput): Promise<Found[]> {
  const findings: Found[] = [];
  for (const mode of MODES) {
    for (const { reason, message, next } of CAUSES) {
      const subjects = await findDocumentsWithStuckMail(inspection.session, {
        mode,
        reason,
        limit: COUNTED_MAX,
      });
      if (subjects.length === 0) continue;
      const { en, el } = counted(subjects.length, MAILS, COUNTED_MAX);
      const text = { en: `${en}: ${message.en}.`, el: `${el}: ${message.el}.` };
      findings.push(problem(text, next, { mode, subjects }));
    }
  }
  return findings;
}
