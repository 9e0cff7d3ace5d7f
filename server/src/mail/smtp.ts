import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import DKIM from "nodemailer/lib/dkim";
import MailComposer from "nodemailer/lib/mail-composer";
import type { MessageId } from "../shared/ids.ts";
import { isLoopback } from "../shared/loopback.ts";
import { sha256 } from "../shared/secrets.ts";
import { LOGO_ID, withoutLogo } from "./draw-letter.ts";
import { oneLine } from "./plain-text.ts";
import { type Tls, tlsOf } from "./tls-of.ts";

export interface SmtpSettings {
  readonly host: string;
  /** an address of the host that was already looked up */
  readonly connectTo?: string;
  readonly port: number;
  /** TLS from the first byte (smtps) */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** the address that mail comes from */
  readonly from: string;
  /** certificates to trust instead of the well-known ones */
  readonly ca?: string;
}

/** An organization's own address, and the key that signs its messages. */
export interface OwnFrom {
  readonly name: string;
  readonly address: string;
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: string };
}

export interface Attachment {
  readonly file_name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface Outgoing {
  readonly message_id: MessageId;
  readonly to: string;
  readonly org_name: string | null;
  /** the member who sends, shown before the organization */
  readonly sender_name?: string | null;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** null: the installation's address */
  readonly own?: OwnFrom | null;
  /** the organization's logo, a PNG, which the HTML shows if it has a place for it */
  readonly logo?: Uint8Array | null;
  readonly attachments?: readonly Attachment[];
}

/** What is known about a message that the mail server accepted. */
export interface Acceptance {
  /** host and port of the mail server, as configured */
  readonly server: string;
  /** the reply to DATA, such as 250 */
  readonly code: number;
  /** the Message-ID header */
  readonly header_id: string;
  readonly tls: Tls | null;
  /** SHA-256 of the bytes sent as DATA, headers included, before dots at the start of lines were doubled */
  readonly body_sha256: string;
}

/** Where an attempt failed. */
export interface Failure {
  /** the server's reply code; null without a reply */
  readonly code: number | null;
  /** the SMTP command that failed, `CONN` for the connection, or `before_sending` */
  readonly stage: string;
  /** the server's reply to RCPT or DATA in its own words, cut; null at other stages, where it is about our configuration */
  readonly reply: string | null;
}

/** `refused`: this message permanently. `deferred`: this message for now. `away`: the server currently accepts nothing from us. */
export type Outcome =
  | { readonly kind: "sent"; readonly accepted: Acceptance }
  | { readonly kind: "refused" | "deferred" | "away"; readonly error: string; readonly failure: Failure };

export interface Smtp {
  send(mail: Outgoing): Promise<Outcome>;
  /** Connects, with TLS and log-on as for a message, and sends nothing. Null if that works, else the server's codes or the error. */
  logOn(): Promise<string | null>;
  close(): void;
}

// Exactly one mailbox. Stored addresses have passed an equally strict validation. A library that repairs an unusual address could send
// the message to someone else.
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,64}@[^\s@<>,;:"()[\]\\\p{Cc}]{1,189}$/u;

const CONNECT_MS = 10_000;
// A server that scans a message before it accepts it needs many seconds. If we give up too early, the server may still have accepted the
// message, and it arrives twice.
const SILENCE_MS = 60_000;
// As many as the jobs that a worker runs at once. More connections would stay unused.
const CONNECTIONS = 4;

/** Connections to one mail server, kept open between messages until `close`. */
export function smtpSender(settings: SmtpSettings): Smtp {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // An IPv6 address has brackets in a URL, but not in a connection.
    host: (settings.connectTo ?? settings.host).replace(/^\[(.*)\]$/, "$1"),
    port: settings.port,
    secure: settings.secure,
    ...(settings.auth === null ? {} : { auth: { ...settings.auth } }),
    ...encryption(settings),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...OWN_VALUES_ONLY,
  });
  const server = `${settings.host}:${settings.port}`;
  // By the bytes of the message, because nodemailer copies everything else that it is given.
  const tlsOfSent = new WeakMap<object, Tls | null>();
  transport.use("stream", (sending, done) => {
    // Called when a connection begins to send, and again if another connection has to take over.
    sending.message.processFunc((stream) => {
      tlsOfSent.set(sending.data.raw as Buffer, tlsOf(transport.transporter, sending));
      return stream;
    });
    done();
  });
  return {
    async send(mail) {
      if (![mail.to, mail.reply_to ?? mail.to].every((address) => ADDRESS.test(address)))
        return { kind: "refused", error: "not an address", failure: { code: null, stage: "before_sending", reply: null } };
      const from = mail.own?.address ?? settings.from;
      const header_id = headerIdOf(mail, from);
      const unsigned = asData(await new MailComposer({ ...composed(mail, from), ...OWN_VALUES_ONLY }).compile().build());
      const bytes = mail.own == null ? unsigned : await signed(unsigned, mail.own);
      try {
        const envelope = { from: settings.from, to: [mail.to] };
        const { response } = await transport.sendMail({ raw: bytes, envelope, messageId: header_id });
        const tls = tlsOfSent.get(bytes) ?? null;
        return {
          kind: "sent",
          accepted: { server, code: Number(response.slice(0, 3)), header_id, tls, body_sha256: sha256(bytes).toString("hex") },
        };
      } catch (error) {
        return outcomeOf(error as SmtpError);
      }
    },
    async logOn() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        return describe(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

// A message consists of our own values only. No file or URL is read to compose it.
const OWN_VALUES_ONLY = { disableFileAccess: true, disableUrlAccess: true } as const;

/** With a DKIM signature (RFC 6376) before it. It covers the bytes as the server gets them. */
async function signed(message: Buffer, { dkim }: OwnFrom): Promise<Buffer> {
  const signer = new DKIM({ domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.key });
  return Buffer.concat(await signer.sign(message).toArray());
}

/** The same at every attempt, so that mail programs can recognize duplicates. */
const headerIdOf = ({ message_id }: Pick<Outgoing, "message_id">, from: string): string =>
  `<${message_id}@${from.slice(from.lastIndexOf("@") + 1)}>`;

/**
 * The bytes as the server receives them: every line ends with CRLF, also the last one. They are hashed, so nothing may be left for the
 * connection to change except the dots.
 */
function asData(message: Buffer): Buffer {
  const lines = message.toString("latin1").replace(/\r\n|\r|\n/g, "\r\n");
  return Buffer.from(lines.endsWith("\r\n") ? lines : `${lines}\r\n`, "latin1");
}

/** Traffic to a relay on this machine cannot be intercepted, and such a relay rarely has a valid certificate. Anywhere else TLS is required. */
function encryption({ host, secure, ca }: SmtpSettings): object {
  if (!secure && isLoopback(host)) return { tls: { rejectUnauthorized: false } };
  // The certificate must be valid for the name, also where the connection goes to an address.
  const name = isIP(host) === 0 ? { servername: host } : {};
  return { requireTLS: !secure, tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...name, ...(ca === undefined ? {} : { ca }) } };
}

// Mail programs shorten longer names in worse places.
const SENDER_NAME_CHARACTERS = 60;

function composed(mail: Outgoing, from: string) {
  const { logo = null, attachments = [] } = mail;
  return {
    // Objects instead of text, so that a comma in a name or address does not make two of it.
    from: { name: senderName(mail), address: from },
    to: { name: "", address: mail.to },
    ...(mail.reply_to === null ? {} : { replyTo: { name: "", address: mail.reply_to } }),
    subject: headerText(oneLine(mail.subject)),
    text: mail.text,
    ...(mail.html === null ? {} : { html: logo === null ? withoutLogo(mail.html) : mail.html }),
    attachments: [
      ...(logo === null ? [] : [{ filename: "logo.png", contentType: "image/png", cid: LOGO_ID, content: Buffer.from(logo) }]),
      ...attachments.map(({ file_name, type, bytes }) => ({ filename: file_name, contentType: type, content: Buffer.from(bytes) })),
    ],
    messageId: headerIdOf(mail, from),
    // RFC 3834: asks for no automatic replies (out of office).
    headers: { "Auto-Submitted": "auto-generated" },
    xMailer: false as const,
  };
}

/** "Mara Klein, Acme via Countersign" where the address is the installation's, "Mara Klein, Acme" where it is the organization's. */
function senderName({ org_name, sender_name = null, own = null }: Outgoing): string {
  const shown = (name: string | null) => (name === null ? "" : headerText(oneLine(name, SENDER_NAME_CHARACTERS)));
  const org = shown(org_name);
  const person = shown(sender_name);
  const viaUs = org === "" ? "Countersign" : `${org} via Countersign`;
  return `${person === "" ? "" : `${person}, `}${own === null ? viaUs : shown(own.name)}`;
}

/** The recipient's program would decode a name that looks like an encoded word (RFC 2047), including line feeds in it. */
function headerText(text: string): string {
  return text.replaceAll("=?", "= ?");
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * A reply to RCPT or DATA concerns the message (RFC 5321, 4.2.1: 5yz is permanent, 4yz temporary; 421 closes the whole connection).
 * All other errors concern our configuration or the server (authentication, sender address, TLS, network): other messages would fail too,
 * and the operator can fix it. An error without a code is our own bug.
 */
function outcomeOf(error: SmtpError): Outcome {
  const { code, command, responseCode } = error;
  if (code === undefined) throw error;
  const stage = command === "API" ? "before_sending" : (command ?? "CONN");
  const aboutMessage = command === "RCPT TO" || command === "DATA";
  const reply = aboutMessage && error.response !== undefined ? oneLine(error.response, REPLY_CHARACTERS) : null;
  const failure = { code: responseCode ?? null, stage, reply };
  const failed = { error: describe(error), failure };
  if (code === "EENVELOPE" && command === "API") return { kind: "refused", ...failed };
  if (!aboutMessage || responseCode === undefined || responseCode === 421 || responseCode === 503) return { kind: "away", ...failed };
  return { kind: responseCode >= 500 ? "refused" : "deferred", ...failed };
}

// Long enough for the sentence and the address of a help page that servers add.
const REPLY_CHARACTERS = 300;

/** "550 5.1.1 RCPT TO": the server's codes and the SMTP command, without its text, which can repeat addresses or our content. */
function describe({ code, command, responseCode, response }: SmtpError): string {
  if (responseCode === undefined) return [code, command].filter((part) => part !== undefined).join(" ");
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
  return [responseCode, enhanced, command].filter((part) => part !== undefined).join(" ");
}
