import { randomInt } from "node:crypto";
import * as asn1 from "asn1js";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { issue } from "../../pdf/fixtures/certificates.ts";

/** A real mail server on loopback that keeps what it accepts, and refuses, disconnects or waits on demand. */
export interface SmtpPeer {
  readonly port: number;
  /** without TLS and authentication */
  readonly url: string;
  /** accepted messages, in order */
  readonly messages: Received[];
  /** attempted log-ins, in order */
  readonly logOns: { readonly user: string; readonly password: string; readonly secure: boolean }[];
  /** What happens to the next messages instead of accepting them. */
  fail(fault: Fault, times?: number): void;
  /** Every message to this address is refused with 550. */
  refuse(address: string): void;
  /** Messages are received and kept, but only acknowledged after `release`. Resolves when the first is received. */
  hold(): Promise<void>;
  release(): void;
  /** how many connections are open now */
  connections(): number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** cut: the connection is closed in the middle of DATA. */
export type Fault = "550 at RCPT" | "451 at RCPT" | "554 at DATA" | "452 at DATA" | "550 at MAIL" | "421 at RCPT" | "cut";

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly raw: string;
  /** every header in order, unfolded and decoded */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string | null;
  readonly html: string | null;
  /** parts with a file name, in order */
  readonly files: readonly ReceivedFile[];
}

export interface ReceivedFile {
  readonly file_name: string;
  readonly type: string;
  /** the Content-ID, by which the HTML part refers to a picture */
  readonly content_id: string | null;
  readonly bytes: Buffer;
}

export function headerOf({ headers }: Pick<Received, "headers">, name: string): string | undefined {
  return headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
}

/** A self-signed certificate for localhost, which is only trusted where a test says so. */
export function serverCertificate(): { key: string; cert: string } {
  const name = new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber: 2 }, valueHex: Uint8Array.from(Buffer.from("localhost")).buffer });
  const names = { id: "2.5.29.17", critical: false, value: new asn1.Sequence({ value: [name] }) };
  const issued = issue({ issuer: null, name: "localhost", extensions: [names] });
  const base64 = Buffer.from(issued.certificate).toString("base64");
  return {
    key: issued.key.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** `password`: if missing, authentication is neither offered nor required. */
export async function startSmtpPeer(options: SMTPServerOptions = {}, password: string | null = null): Promise<SmtpPeer> {
  const messages: Received[] = [];
  const logOns: { user: string; password: string; secure: boolean }[] = [];
  const faults: Fault[] = [];
  const refused = new Set<string>();
  const certificate = serverCertificate();
  let held: { readonly arrived: () => void; readonly released: Promise<void> } | null = null;
  let release: () => void = () => undefined;

  const take = (...wanted: Fault[]): Error | null => {
    const [fault] = faults;
    if (fault === undefined || !wanted.includes(fault)) return null;
    faults.shift();
    return refusal(Number(fault.slice(0, 3)));
  };
  const make = () => {
    const server: SMTPServer = new SMTPServer({
      ...certificate,
      disableReverseLookup: true,
      closeTimeout: 100,
      ...options,
      ...(password === null ? { authOptional: true, disabledCommands: ["AUTH", ...(options.disabledCommands ?? [])] } : {}),
      onAuth: (auth, session, done) => {
        logOns.push({ user: auth.username ?? "", password: auth.password ?? "", secure: session.secure });
        if (auth.password === password) done(null, { user: auth.username });
        else done(Object.assign(new Error("no"), { responseCode: 535 }));
      },
      onMailFrom: (_address, _session, done) => done(take("550 at MAIL")),
      onRcptTo: ({ address }, _session, done) =>
        done(refused.has(address) ? refusal(550) : take("550 at RCPT", "451 at RCPT", "421 at RCPT")),
      onData: (stream, session, done) => {
        if (faults[0] === "cut") {
          faults.shift();
          stream.once("data", () => {
            for (const connection of server.connections) connection._socket.destroy();
          });
          return;
        }
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.once("end", async () => {
          const refusing = take("554 at DATA", "452 at DATA");
          if (refusing !== null) return done(refusing);
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address);
          messages.push({ from: mailFrom ? mailFrom.address : "", to, secure: session.secure, ...parseMail(Buffer.concat(chunks)) });
          held?.arrived();
          await held?.released;
          done();
        });
      },
    });
    // Some tests are about a connection that breaks off.
    server.on("error", () => undefined);
    return server;
  };
  const listen = (server: SMTPServer, port: number) =>
    new Promise<void>((resolve, reject) => {
      server.server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve());
    });

  let server = make();
  const port = await freePort(async (wanted) => {
    server = make();
    await listen(server, wanted);
  });
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    messages,
    logOns,
    fail: (fault, times = 1) => void faults.push(...Array.from({ length: times }, () => fault)),
    refuse: (address) => void refused.add(address),
    hold: () =>
      new Promise((arrived) => {
        const released = new Promise<void>((resolve) => {
          release = resolve;
        });
        held = { arrived, released };
      }),
    release: () => {
      held = null;
      release();
    },
    connections: () => server.connections.size,
    stop: () =>
      new Promise((resolve) => {
        for (const connection of server.connections) connection._socket.destroy();
        server.close(() => resolve());
      }),
    start: async () => {
      server = make();
      await listen(server, port);
    },
  };
}

const FIRST_PORT = 10_000;
const PORTS = 20_000;

/**
 * A port that is still free when a stopped server starts again. The system gives the ports from 32768 on to outgoing connections, so that
 * those of other tests would take it.
 */
async function freePort(listen: (port: number) => Promise<void>): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    try {
      await listen(port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

const refusal = (code: number): Error =>
  Object.assign(new Error(`${Math.floor(code / 100)}.1.1 refused by the test`), { responseCode: code });

/** RFC 5322 and MIME (RFC 2045 to 2047), as far as our mail uses them. */
function parseMail(bytes: Buffer): Pick<Received, "raw" | "headers" | "text" | "html" | "files"> {
  const raw = bytes.toString("latin1");
  const whole = split(raw);
  const parts = partsOf(whole);
  const part = (type: string) => {
    const found = parts.find((one) => (headerOf(one, "content-type") ?? "text/plain").startsWith(type));
    return found === undefined ? null : bytesOf(found).toString("utf8").replace(/\r\n/g, "\n");
  };
  const files = parts.flatMap((one): ReceivedFile[] => {
    const file_name = fileNameIn(headerOf(one, "content-disposition") ?? "");
    if (file_name === undefined) return [];
    const type = (headerOf(one, "content-type") ?? "").split(";")[0] ?? "";
    return [{ file_name, type, content_id: headerOf(one, "content-id") ?? null, bytes: bytesOf(one) }];
  });
  return { raw, headers: whole.headers, text: part("text/plain"), html: part("text/html"), files };
}

interface MailPart {
  readonly headers: [string, string][];
  readonly body: string;
}

/** The parts that contain no other parts, in order. */
function partsOf(whole: MailPart): MailPart[] {
  const boundary = /boundary="?([^";]+)"?/.exec(headerOf(whole, "content-type") ?? "")?.[1];
  if (boundary === undefined) return [whole];
  // The line end before a boundary belongs to the boundary.
  const inside = whole.body.split(`--${boundary}`).slice(1, -1);
  return inside.flatMap((part) => partsOf(split(part.replace(/^\r\n/, "").replace(/\r\n$/, ""))));
}

function split(raw: string): MailPart {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, "")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), decodeWords(line.slice(colon + 1).trim())];
  });
  return { headers, body: raw.slice(end + 4) };
}

/** Adjacent encoded words are one text, because a character can be split between two of them. */
function decodeWords(value: string): string {
  return value.replace(/=\?utf-8\?([bq])\?([^?]*)\?=(\s+=\?utf-8\?\1\?[^?]*\?=)*/gi, (words) =>
    Buffer.concat(
      [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, kind, text]) => wordBytes(kind ?? "", text ?? "")),
    ).toString("utf8"),
  );
}

function wordBytes(kind: string, text: string): Buffer {
  return kind.toLowerCase() === "b" ? Buffer.from(text, "base64") : quotedPrintable(text.replace(/_/g, " "));
}

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
}

function bytesOf({ headers, body }: MailPart): Buffer {
  const encoding = (headerOf({ headers }, "content-transfer-encoding") ?? "7bit").toLowerCase();
  if (encoding === "base64") return Buffer.from(body, "base64");
  return encoding === "quoted-printable" ? quotedPrintable(body.replace(/=\r\n/g, "")) : Buffer.from(body, "latin1");
}

/** A name with other than ASCII characters is in parts that are percent-encoded (RFC 2231). */
function fileNameIn(disposition: string): string | undefined {
  const parts = [...disposition.matchAll(/filename\*(?:(\d+)\*?)?=(?:utf-8'')?"?([^";\s]+)"?/gi)];
  if (parts.length > 0) return decodeURIComponent(parts.map(([, , part = ""]) => part).join(""));
  return /filename="?([^";]+)"?/.exec(disposition)?.[1];
}
