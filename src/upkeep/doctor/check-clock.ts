/** The clock: numbers, leases and legal days hang on it. */
import { findAppliance } from "../../../storage/diagnosis.ts";
import { msOfIdBody } from "../../../storage/ids.ts";
import { type Clock, createClock } from "../../foundation/clock.ts";
import { type Finding, findingsOf, type OpenPatient, orOk, type Patient } from "./doctor-finding.ts";

const { ok, notice, problem } = findingsOf("clock");

const SYNCHRONISE = "set the clock and keep it by NTP: timedatectl set-ntp true";
/** A second or two between processes is nothing. */
const BACK_MS_MAX = 5000;

/** The newest id in the file is from a moment that has been: a clock that is before it was set back. */
export async function checkClock({ clock, inspection }: OpenPatient): Promise<Finding[]> {
  const appliance = await findAppliance(inspection.session);
  const newestMs = appliance === undefined ? 0 : msOfIdBody(appliance.last_id);
  const backMs = newestMs - clock.nowMs();
  const findings = checkTimeZone();
  if (backMs > BACK_MS_MAX) {
    findings.push(
      problem(
        `The clock is ${Math.round(backMs / 1000)} seconds before the newest row of the database: it was set back.`,
        { next: SYNCHRONISE },
      ),
    );
  }
  return orOk(findings, ok(`The clock says ${clock.now()}, ${clock.today()} in Athens.`));
}

/** Instants whose day in Athens is known, in winter and in summer time. */
const KNOWN_DAYS = [
  ["2026-01-14T21:59:59.000Z", "2026-01-14"],
  ["2026-01-14T22:00:00.000Z", "2026-01-15"],
  ["2026-07-14T20:59:59.000Z", "2026-07-14"],
  ["2026-07-14T21:00:00.000Z", "2026-07-15"],
] as const;

function checkTimeZone(): Finding[] {
  const isRight = KNOWN_DAYS.every(([instant, day]) => {
    try {
      return createClock(() => Date.parse(instant)).today() === day;
    } catch (error) {
      // A Node without the data of the time zones refuses the name.
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
  if (isRight) return [];
  return [
    problem("The time zone data of this Node does not know the days of Athens: issue dates would be wrong.", {
      next: "use a Node with full time zone data (the official builds have it)",
    }),
  ];
}

/** A clock that is brought to the right time in small steps stays below it. */
const STEP_MS_MAX = 2000;

/** Compares the clock with one that only counts (`countMs`), from now until the answer is called. */
export function watchClock(clock: Clock, countMs: () => number): () => Finding[] {
  const aheadMs = clock.nowMs() - countMs();
  return () => {
    const stepMs = clock.nowMs() - countMs() - aheadMs;
    if (Math.abs(stepMs) <= STEP_MS_MAX) return [];
    const seconds = Math.round(Math.abs(stepMs) / 1000);
    return [
      notice(
        `The clock was set ${stepMs > 0 ? "forward" : "back"} by ${seconds} seconds while this looked.`,
        {
          next: SYNCHRONISE,
        },
      ),
    ];
  };
}

const ANSWER_WAIT_MS = 5000;
const APART_SECONDS_MAX = 60;

/** `--online`: the clock against the Date header of a provider's server. No key and no document goes along. */
export async function checkClockOnline({ config, clock }: Patient): Promise<Finding[]> {
  const url = config.providers.registryDirect.liveUrl;
  const { host } = new URL(url);
  let date: string | null;
  try {
    const answer = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    date = answer.headers.get("date");
  } catch (error) {
    const reason =
      error instanceof Error && error.name === "TimeoutError" ? "no answer in time" : "no connection";
    return [
      problem(`${host} cannot be reached (${reason}): documents could not be sent there either.`, {
        next: "check the network, and providers.registry_direct.live_url",
      }),
    ];
  }
  const theirMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirMs)) return [ok(`${host} answers, and does not say what time it is.`)];
  const seconds = Math.round((clock.nowMs() - theirMs) / 1000);
  if (Math.abs(seconds) <= APART_SECONDS_MAX) return [ok(`The clock agrees with that of ${host}.`)];
  const how = seconds > 0 ? "ahead of" : "behind";
  return [
    problem(`The clock is ${Math.abs(seconds)} seconds ${how} that of ${host}.`, { next: SYNCHRONISE }),
  ];
}
