/** Checks the clock, on which numbers, leases and issue dates depend, by what is stored, and with `--online` by the authority's. */
import { instantText } from "../../foundation/clock.ts";
import { findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { msOfIdBody } from "../../../storage/database/ids.ts";
import type { Text } from "../../foundation/text.ts";
import { type Check, type CheckInput, notice, ok, problem, type TableCheckInput } from "./doctor-finding.ts";

const SYNCHRONISE: Text = {
  en: "set the clock and keep it by NTP: timedatectl set-ntp true",
  el: "ρυθμίστε το ρολόι και κρατήστε το με NTP: timedatectl set-ntp true",
};
const COMPARE: Text = {
  en: "nothing, if the clock is right now; compare it with the authority's",
  el: "τίποτα, αν το ρολόι είναι τώρα σωστό· συγκρίνετέ το με της ΑΑΔΕ",
  next: { operation: "compareClock" },
};
/** A second or two between processes is harmless, and a server corrects nothing below ten. */
const BACK_MS_MAX = 10_000;

/**
 * Ids contain their time: if the newest is in the future, the clock ran ahead and was set back since. So it was if the latest
 * time at a commit is: a server makes due what waits, and then that time is today's again.
 */
export const clockCheck: Check<TableCheckInput> = {
  name: "clock",
  async *find({ clock, inspection }) {
    const appliance = await findAppliance(inspection.session);
    const newestMs = appliance === undefined ? 0 : msOfIdBody(appliance.last_id);
    const latestMs = Math.max(newestMs, Date.parse(appliance?.clock_at ?? "") || 0);
    const backMs = latestMs - clock.nowMs();
    if (backMs <= BACK_MS_MAX) return;
    const seconds = Math.round(backMs / 1000);
    const until = instantText(new Date(latestMs).toISOString());
    const message = {
      en: `The clock ran ahead and was set back by about ${seconds} seconds. A running server makes due again what had been put off; new rows may be dated ${until.en} until the clock passes it.`,
      el: `Το ρολόι πήγαινε μπροστά και γύρισε πίσω κατά ${seconds} δευτερόλεπτα περίπου. Όσα είχαν αναβληθεί γι' αυτό τα εκτελεί στην ώρα τους ο διακομιστής που τρέχει· οι νέες εγγραφές μπορεί να έχουν ώρα ${until.el}, μέχρι να την περάσει το ρολόι.`,
    };
    yield notice(message, COMPARE);
  },
  ok: ({ clock }) => {
    const { en, el } = instantText(clock.now());
    return { en: `The clock says ${en} in Athens.`, el: `Το ρολόι λέει ${el} στην Αθήνα.` };
  },
};

const ANSWER_WAIT_MS = 5000;
const APART_SECONDS_MAX = 60;

/** Compares the clock with the Date header of the authority's server. Sends no key and no document. */
export const onlineClockCheck: Check<CheckInput> = {
  name: "clock",
  async *find({ config, clock }) {
    const url = config.providers.registryDirect.liveUrl;
    const { host } = new URL(url);
    let date: string | null;
    try {
      const signal = AbortSignal.timeout(ANSWER_WAIT_MS);
      date = (await fetch(url, { method: "HEAD", redirect: "manual", signal })).headers.get("date");
    } catch {
      const message = {
        en: `${host} cannot be reached: documents could not be sent there either.`,
        el: `Το ${host} δεν απαντά: ούτε παραστατικά θα μπορούσαν να σταλούν εκεί.`,
      };
      const next = {
        en: "check the network, and providers.registry_direct.live_url",
        el: "ελέγξτε το δίκτυο και το providers.registry_direct.live_url",
      };
      yield problem(message, next);
      return;
    }
    const theirMs = Date.parse(date ?? "");
    const silent = {
      en: `${host} answers, but does not say what time it is.`,
      el: `Το ${host} απαντά, αλλά δεν λέει τι ώρα είναι.`,
    };
    const seconds = Math.round((clock.nowMs() - theirMs) / 1000);
    const agrees = {
      en: `The clock agrees with that of ${host}.`,
      el: `Το ρολόι συμφωνεί με εκείνο του ${host}.`,
    };
    const [en, el] = seconds > 0 ? ["ahead of", "μπροστά"] : ["behind", "πίσω"];
    const message = {
      en: `The clock is ${Math.abs(seconds)} seconds ${en} that of ${host}.`,
      el: `Το ρολόι είναι ${Math.abs(seconds)} δευτερόλεπτα ${el} από εκείνο του ${host}.`,
    };
    if (Number.isNaN(theirMs)) yield ok(silent);
    else yield Math.abs(seconds) <= APART_SECONDS_MAX ? ok(agrees) : problem(message, SYNCHRONISE);
  },
};
