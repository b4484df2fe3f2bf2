/** What the main process of a server and its workers send each other. Both ends check every message. */
import * as v from "valibot";
import type { Config } from "../../src/config/config.ts";
import type { MetricValues } from "../../src/journal/metrics.ts";
import { WINDOW_NAMES } from "../limits.ts";

const Nothing = v.null();
const ConfigSchema = v.custom<Config>((value) => typeof value === "object" && value !== null);

const ReadinessSchema = v.object({ ready: v.boolean(), checks: v.record(v.string(), v.boolean()) });

const WindowSchema = v.object({
  limit: v.number(),
  remaining: v.number(),
  resetSeconds: v.number(),
  isExceeded: v.boolean(),
});

const MetricSchema = v.custom<MetricValues>(
  (value) => typeof value === "object" && value !== null && "name" in value && "values" in value,
);

const HeadersSchema = v.array(v.tuple([v.string(), v.string()]));
/** In Base64. */
const BodySchema = v.nullable(v.string());

/** Messages without an answer. */
export const NEWS = {
  /** The first message to a worker. `publicUrl` is the address of the server in links. */
  start: v.object({ number: v.number(), config: ConfigSchema, publicUrl: v.string() }),
  /** Comes with a socket that was just accepted. */
  connection: v.object({ id: v.number(), isSurplus: v.boolean() }),
  reload: Nothing,
  stop: Nothing,

  /** From a worker: it takes connections from now on. */
  ready: Nothing,
  /** It has the connection with this id, so that the main process no longer needs the socket. */
  taken: v.number(),
  /** The connection with this id is closed. */
  closed: v.number(),
  wake: v.picklist(["issuing", "webhooks"]),
  /** The worker has finished the write that it took its turn for. */
  written: Nothing,
} as const;

/** Messages with an answer. */
export const QUESTIONS = {
  /** Of a worker: counts a request. Null if the limit is off; `unavailable` if the database that counts cannot be used. */
  count: {
    question: v.object({ window: v.picklist(WINDOW_NAMES), key: v.string() }),
    answer: v.nullable(v.union([WindowSchema, v.literal("unavailable")])),
  },
  /** Answered when it is the worker's turn to write. */
  turn: { question: Nothing, answer: Nothing },
  /** Of the whole server. */
  readiness: { question: Nothing, answer: ReadinessSchema },
  metrics: { question: Nothing, answer: v.object({ contentType: v.string(), text: v.string() }) },
  /** A request of the console about an upload, which the main process keeps. */
  upload: {
    question: v.object({ method: v.string(), url: v.string(), headers: HeadersSchema, body: BodySchema }),
    answer: v.object({ status: v.number(), headers: HeadersSchema, body: BodySchema }),
  },

  /** Of the main process: the worker's own state. */
  check: { question: Nothing, answer: ReadinessSchema },
  collect: { question: Nothing, answer: v.array(MetricSchema) },
} as const;

export type Topic = keyof typeof NEWS;
export type News<T extends Topic> = v.InferOutput<(typeof NEWS)[T]>;
export type Question = keyof typeof QUESTIONS;
export type Asked<Q extends Question> = v.InferOutput<(typeof QUESTIONS)[Q]["question"]>;
export type Answer<Q extends Question> = v.InferOutput<(typeof QUESTIONS)[Q]["answer"]>;
