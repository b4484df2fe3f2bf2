/** A real SMTP server on 127.0.0.1 that keeps what it accepts. */
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message with its headers. */
  source: string;
  /** Whether it came over TLS. */
  secure: boolean;
  user: string | undefined;
}

export interface MailServerOptions extends SMTPServerOptions {
  port?: number;
  /** The only login that is accepted. Without it there is none. */
  login?: { user: string; password: string };
  /** Addresses that are refused, with the reply code. */
  refused?: Record<string, number>;
}

export async function startMailServer(options: MailServerOptions = {}) {
  const { port = 0, login, refused = {}, ...rest } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ["AUTH"] : [],
    disableReverseLookup: true,
    // Its own certificate is public, and it warns about that.
    hideSTARTTLS: rest.key === undefined,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) return done(null, { user: username });
      return done(Object.assign(new Error("Invalid login"), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      const code = refused[address];
      return done(
        code === undefined
          ? null
          : Object.assign(new Error(`<${address}> no such user`), { responseCode: code }),
      );
    },
    onData(stream, { envelope, secure, user }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
      stream.on("end", () => {
        received.push({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString("utf8"),
          secure,
          user,
        });
        done();
      });
    },
    ...rest,
  });
  // A client that does not trust the certificate ends the handshake, which is not this server's failure.
  server.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.server.address() as AddressInfo;
  return {
    port: address.port,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Those at example.com that tests send test documents to. */
const TEST_NAMES = "customer other private no a later login tls twice late".split(" ");

/** The environment of a program that sends its mail to `server`. */
export function mailSettings({ port }: Pick<MailServer, "port">): Record<string, string> {
  return {
    FISCAL_MAIL__HOST: "127.0.0.1",
    FISCAL_MAIL__PORT: String(port),
    FISCAL_MAIL__FROM: "shop@example.com",
    FISCAL_MAIL__TEST_TO: TEST_NAMES.map((name) => `${name}@example.com`).join(","),
  };
}
