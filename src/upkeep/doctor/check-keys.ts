/** Checks that the master key exists, is private, and is the one that the database was made with; and that no API key in use expires. */
import { placeIn } from "../../../storage/encryption/sealed.ts";
import { existsSync, statSync } from "node:fs";
import type { Cipher } from "../../../storage/encryption/cipher.ts";
import { findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { findSealedContents, findSealedCredentials } from "../../../storage/upkeep/diagnosis.ts";
import { createKeyRing, isKeyOf } from "../../../storage/encryption/key-ring.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { sameInBoth } from "../../foundation/text.ts";
import { loadMasterKeys } from "../../keys/key-files.ts";
import { findRotation } from "../../keys/rotation-plan.ts";
import {
  type Check,
  type CheckInput,
  type Found,
  notice,
  ok,
  problem,
  sentence,
  type TableCheckInput,
} from "./doctor-finding.ts";
import { checkWindowsAccess } from "./check-files.ts";
import { instantText } from "../../foundation/clock.ts";
import { type ApiKeyRow, listKeyRows } from "../../../storage/access/keys-and-sessions.ts";

const DAY_MS = 86_400_000;

const KEY = { en: "the master key", el: "το κύριο κλειδί" };

const PUT_BACK = {
  en: "put the right key file back, or give the key as FISCAL_MASTER_KEY",
  el: "βάλτε πίσω το σωστό αρχείο κλειδιού ή δώστε το κλειδί ως FISCAL_MASTER_KEY",
};

export const masterKeyCheck: Check<TableCheckInput> = {
  name: "master key",
  async *find(input) {
    const key = readKey(input);
    if ("finding" in key) return yield key.finding;
    const appliance = await findAppliance(input.inspection.session);
    if (appliance !== undefined && !isKeyOf(key.cipher, appliance.key_check)) {
      const message = {
        en: "The master key is not the one that this database was made with: nothing starts.",
        el: "Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε αυτή η βάση: τίποτα δεν ξεκινά.",
      };
      return yield problem(message, PUT_BACK);
    }
    const subjects = await findUnreadable(input, key.cipher);
    if (subjects.length > 0) {
      const message = {
        en: "The master key does not decrypt the credentials of some connections, or the contents of some documents.",
        el: "Το κύριο κλειδί δεν αποκρυπτογραφεί τα διαπιστευτήρια κάποιων συνδέσεων ή το περιεχόμενο κάποιων παραστατικών.",
      };
      const audit = input.command(null, "audit");
      const next = {
        en: `connect such connections again; find out which documents: ${audit}; a backup with its own key may still have them`,
        el: `συνδέστε ξανά αυτές τις συνδέσεις· βρείτε ποια παραστατικά: ${audit}· ίσως τα έχει ακόμη ένα αντίγραφο ασφαλείας με το δικό του κλειδί`,
      };
      return yield problem(message, next, { subjects });
    }
    yield* checkPermissions(input);
    yield* checkRotation(input);
    yield ok({
      en: "The master key decrypts what the database holds.",
      el: "Το κύριο κλειδί αποκρυπτογραφεί όσα περιέχει η βάση.",
    });
  },
};

/** An abandoned rotation stops nothing, but both keys are needed until it ends. */
async function* checkRotation({ inspection, command }: TableCheckInput): AsyncGenerator<Found> {
  if ((await findRotation(inspection.session)) === undefined) return;
  const rotate = command(null, "rotateMasterKey");
  const message = {
    en: "The master key is being replaced, or the replacement was interrupted: both keys are needed until it ends.",
    el: "Το κύριο κλειδί αντικαθίσταται, ή η αντικατάσταση διακόπηκε: ως το τέλος της χρειάζονται και τα δύο κλειδιά.",
  };
  const next = {
    en: `if it is no longer running: ${rotate}`,
    el: `αν δεν εκτελείται πια: ${rotate}`,
  };
  yield notice(message, next);
}

/** Never creates a key: there is data, so a missing key is an error. */
function readKey({ config }: CheckInput): { cipher: Cipher } | { finding: Found } {
  try {
    return { cipher: createKeyRing(() => loadMasterKeys(config.security, true)) };
  } catch (error) {
    if (!(error instanceof ConfigurationError) && !isSystemError(error)) throw error;
    const text = error instanceof ConfigurationError ? error.text : sameInBoth(error.message);
    return { finding: problem(sentence(text), PUT_BACK) };
  }
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

function* checkPermissions({ config }: CheckInput): Generator<Found> {
  const { masterKey, masterKeyFile: file } = config.security;
  if (masterKey !== null || !existsSync(file)) return;
  if (process.platform === "win32") return yield* checkWindowsAccess(file, KEY);
  if ((statSync(file).mode & 0o077) === 0) return;
  const message = {
    en: `Users other than its owner may read the master key ${file}.`,
    el: `Άλλοι εκτός από τον κάτοχο μπορούν να διαβάσουν το κύριο κλειδί ${file}.`,
  };
  yield problem(message, `chmod 600 ${file}`);
}

/** Many are tried, because values encrypted with two keys may exist side by side. */
const CONNECTIONS_TRIED_MAX = 1000;

/** Of the oldest documents, and as many of the newest. A key that was lost during a rotation concerns one end. */
const CONTENTS_TRIED_MAX = 200;

/** The connections whose credentials, and the documents whose contents, the key does not decrypt. */
async function findUnreadable({ inspection }: TableCheckInput, cipher: Cipher): Promise<string[]> {
  const connections = await findSealedCredentials(inspection.session, { limit: CONNECTIONS_TRIED_MAX });
  const contents = await findSealedContents(inspection.session, { limit: CONTENTS_TRIED_MAX });
  return [
    ...connections.map(({ id, credentials }) => ({
      id,
      place: placeIn("connections", id),
      sealed: credentials,
    })),
    ...contents.map(({ document_id: id, sealed }) => ({ id, place: placeIn("document_inputs", id), sealed })),
  ]
    .filter(({ place, sealed }) => cipher.open(place, sealed) === undefined)
    .map(({ id }) => id);
}

/** Leaves time to hand out a new key. */
const EXPIRING_DAYS = 14;

export const keysCheck: Check<TableCheckInput> = {
  name: "keys",
  async *find(input) {
    for (const row of await listKeyRows(input.inspection.session))
      if (row.revoked_at === null) yield* checkKey(input, row);
  },
  ok: {
    en: "No API key has expired or expires soon.",
    el: "Κανένα κλειδί API δεν έληξε ούτε λήγει σύντομα.",
  },
};

function* checkKey({ clock, command }: TableCheckInput, row: ApiKeyRow): Generator<Found> {
  const { id, mode, name, expires_at: expiresAt, last_used_at: lastUsedAt, last4 } = row;
  if (expiresAt === null) return;
  const leftMs = Date.parse(expiresAt) - clock.nowMs();
  if (leftMs >= EXPIRING_DAYS * DAY_MS) return;
  const at = instantText(expiresAt);
  const message = {
    en: `The ${mode} key "${name}" (…${last4}) is refused from ${at.en}.`,
    el: `Το κλειδί ${mode} «${name}» (…${last4}) δεν γίνεται δεκτό από ${at.el}.`,
  };
  const create = command(null, "createKey", mode);
  const revoke = command(null, "revokeKey", id);
  const next = { en: `${create}, then ${revoke}`, el: `${create}, έπειτα ${revoke}` };
  // Its user is refused now. A time that cannot be read is refused too.
  const isMissed = !(leftMs > 0) && !wasUnused(expiresAt, lastUsedAt);
  yield (isMissed ? problem : notice)(message, next, { mode, subjects: [id] });
}

function wasUnused(expiresAt: string, lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.parse(lastUsedAt) < Date.parse(expiresAt) - 7 * DAY_MS;
}
