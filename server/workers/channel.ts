/**
 * One end of the channel between the main process and a worker. Messages of one turn of the event loop are sent together, so that
 * requests that arrive together cost one message.
 */
import { Socket } from "node:net";
import * as v from "valibot";
import {
  type Answer,
  type Asked,
  NEWS,
  type News,
  type Question,
  QUESTIONS,
  type Topic,
} from "./messages.ts";

/** Node's end of a channel to another process: a child process, or this process in a worker. */
export interface Port {
  send(
    message: unknown,
    handle: Socket | undefined,
    options: object,
    done: (error: Error | null) => void,
  ): boolean;
  on(event: "message", listener: (message: unknown, handle: unknown) => void): unknown;
}

/** What this end does with messages. Those without an entry are defects of the program. */
export interface Handlers {
  news: { [T in Topic]?: (content: News<T>, socket: Socket | undefined) => void };
  questions: { [Q in Question]?: (content: Asked<Q>) => Answer<Q> | Promise<Answer<Q>> };
}

export interface Channel {
  tell<T extends Topic>(topic: T, content: News<T>): void;
  /**
   * Sends a message with a socket, which stays open here as well. Node sends one socket after the other, each when the one before was
   * received: `onSent` is called when it is on its way.
   */
  give<T extends Topic>(topic: T, content: News<T>, socket: Socket, onSent: () => void): void;
  /** Rejects if the other process cannot answer, or ends first. */
  ask<Q extends Question>(question: Q, content: Asked<Q>): Promise<Answer<Q>>;
  /** Rejects what is unanswered, and ignores the other process from now on. */
  close(): void;
}

const Envelope = v.variant("kind", [
  v.object({ kind: v.literal("news"), topic: v.picklist(keysOf(NEWS)), content: v.unknown() }),
  v.object({
    kind: v.literal("question"),
    id: v.number(),
    question: v.picklist(keysOf(QUESTIONS)),
    content: v.unknown(),
  }),
  v.object({ kind: v.literal("answer"), id: v.number(), content: v.unknown() }),
  v.object({ kind: v.literal("no answer"), id: v.number(), reason: v.string() }),
]);
type Envelope = v.InferOutput<typeof Envelope>;
const Envelopes = v.array(Envelope);

function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(table) as K[];
}

interface Pending {
  question: Question;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

export function createChannel(port: Port, handlers: Handlers): Channel {
  const pending = new Map<number, Pending>();
  let waiting: Envelope[] = [];
  let lastId = 0;
  let isClosed = false;

  function send(envelopes: readonly Envelope[], socket?: Socket, onSent?: () => void): void {
    if (isClosed) return;
    // Node does not close a socket that it sent to a process that was then killed, so the owner does.
    port.send(envelopes, socket, { keepOpen: true }, (error) => {
      // A message that cannot be sent is lost with the other process, whose end is noticed separately.
      if (error === null) onSent?.();
    });
  }

  function post(envelope: Envelope): void {
    waiting.push(envelope);
    if (waiting.length === 1) setImmediate(flush);
  }

  function flush(): void {
    const envelopes = waiting;
    waiting = [];
    if (envelopes.length > 0) send(envelopes);
  }

  function receive(envelope: Envelope, socket: Socket | undefined): void {
    switch (envelope.kind) {
      case "news":
        return hear(handlers, envelope.topic, envelope.content, socket);
      case "question":
        return void respond(envelope);
      case "answer": {
        const asked = take(envelope.id);
        if (asked !== undefined) asked.resolve(v.parse(QUESTIONS[asked.question].answer, envelope.content));
        return;
      }
      case "no answer":
        return take(envelope.id)?.reject(new Error(envelope.reason));
    }
  }

  function take(id: number): Pending | undefined {
    const asked = pending.get(id);
    pending.delete(id);
    return asked;
  }

  async function respond({ id, question, content }: Extract<Envelope, { kind: "question" }>): Promise<void> {
    try {
      post({ kind: "answer", id, content: await answer(handlers, question, content) });
    } catch (error) {
      post({ kind: "no answer", id, reason: `${question}: ${String(error)}` });
    }
  }

  port.on("message", (message, handle) => {
    if (isClosed) return;
    const socket = handle instanceof Socket ? handle : undefined;
    for (const envelope of v.parse(Envelopes, message)) receive(envelope, socket);
  });

  return {
    tell: (topic, content) => post({ kind: "news", topic, content }),
    give: (topic, content, socket, onSent) => send([{ kind: "news", topic, content }], socket, onSent),
    ask<Q extends Question>(question: Q, content: Asked<Q>) {
      return new Promise<Answer<Q>>((resolve, reject) => {
        lastId += 1;
        if (isClosed) return reject(ENDED);
        pending.set(lastId, { question, resolve: resolve as (answer: unknown) => void, reject });
        post({ kind: "question", id: lastId, question, content });
      });
    },
    close() {
      flush();
      isClosed = true;
      for (const { reject } of pending.values()) reject(ENDED);
      pending.clear();
    },
  };
}

const ENDED = new Error("the other process has ended");

function hear<T extends Topic>(
  { news }: Handlers,
  topic: T,
  content: unknown,
  socket: Socket | undefined,
): void {
  const handle = news[topic];
  if (handle === undefined) throw new Error(`This process expects no message "${topic}"`);
  handle(v.parse(NEWS[topic], content) as News<T>, socket);
}

function answer<Q extends Question>(
  { questions }: Handlers,
  question: Q,
  content: unknown,
): Answer<Q> | Promise<Answer<Q>> {
  const handle = questions[question];
  if (handle === undefined) throw new Error(`This process expects no question "${question}"`);
  return handle(v.parse(QUESTIONS[question].question, content) as Asked<Q>);
}
