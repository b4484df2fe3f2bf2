/** `fiscal calls`: the log of requests to providers and their responses. */
import { getProviderCall, listProviderCalls } from "../../src/operations/logs.ts";
import { outputSettingsOf, write } from "../io.ts";
import { UNTIL_INTERRUPTED } from "../options.ts";
import { tailOf } from "../tails.ts";
import { formatExchange } from "../ui/log-view.ts";
import { verbOf } from "../verb.ts";
import { type Commands, noun } from "../define.ts";

const VERBS: Commands = {
  tail: tailOf(listProviderCalls),
  list: verbOf(listProviderCalls),
  show: verbOf(getProviderCall, {
    after: (call, { context: { io } }) =>
      write(io.stdout, formatExchange(call, outputSettingsOf(io).language)),
  }),
};

export const defineCalls = noun(VERBS, "fiscal calls list --document doc_…", {
  line: "fiscal calls tail",
  note: UNTIL_INTERRUPTED,
});
