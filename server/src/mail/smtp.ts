import { createTransport } from "nodemailer";
import type { MessageId } from "../shared/ids.ts";
import { isLoopback } from "../shared/loopback.ts";
import { oneLine } from "./plain-text.ts";

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (smtps) */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** the address that mail comes from */
  readonly from: string;
  /** certificates to trust instead of the well-known ones */
  readonly ca?: string;
}

export interface Outgoing {
  readonly message_id: MessageId;
  readonly to: string;
  readonly org_name: string | null;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

/** `refused`: never, for this message. `deferred`: not now, for this message. `away`: the server takes nothing from us at present. */
export type Outcome = { readonly kind: "sent" } | { readonly kind: "refused" | "deferred" | "away"; readonly error: string };

export interface Smtp {
  send(mail: Outgoing): Promise<Outcome>;
  close(): void;
}

// One mailbox and nothing around it. What is stored came through the edge, which is as strict; a library that tidies up an odd
// address would send the message to somebody else.
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,64}@[^\s@<>,;:"()[\]\\\p{Cc}]{1,189}$/u;

const CONNECT_MS = 10_000;
// The longest silence we bear. A server that looks through a message before it says yes needs many seconds; one that we gave up
// on may have taken the message all the same, and then it arrives twice.
const SILENCE_MS = 60_000;
// As many as the worker runs jobs at once; more would wait for nothing.
const CONNECTIONS = 4;

/** Connections to one mail server, kept open between messages until `close`. */
export function smtpSender(settings: SmtpSettings): Smtp {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // An IPv6 address stands in brackets in a URL, and without them in a connection.
    host: settings.host.replace(/^\[(.*)\]$/, "$1"),
    port: settings.port,
    secure: settings.secure,
    ...(settings.auth === null ? {} : { auth: { ...settings.auth } }),
    ...encryption(settings),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A message is values of ours; no file and no address is ever read to make one.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      if (![mail.to, mail.reply_to ?? mail.to].every((address) => ADDRESS.test(address)))
        return { kind: "refused", error: "not an address" };
      try {
        await transport.sendMail(composed(mail, settings.from));
        return { kind: "sent" };
      } catch (error) {
        return outcomeOf(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

/** On this very machine nobody listens in, and a relay there rarely has a certificate for its name; anywhere else TLS must hold. */
function encryption({ host, secure, ca }: SmtpSettings): object {
  if (!secure && isLoopback(host)) return { tls: { rejectUnauthorized: false } };
  return { requireTLS: !secure, tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) } };
}

// Longer names are cut by mail programs in worse places.
const SENDER_NAME_CHARACTERS = 60;

function composed(mail: Outgoing, from: string) {
  const org = mail.org_name === null ? "" : headerText(oneLine(mail.org_name, SENDER_NAME_CHARACTERS));
  return {
    // Objects and not text: a comma in a name or address must not make two of it.
    from: { name: org === "" ? "Countersign" : `${org} via Countersign`, address: from },
    to: { name: "", address: mail.to },
    envelope: { from, to: [mail.to] },
    ...(mail.reply_to === null ? {} : { replyTo: { name: "", address: mail.reply_to } }),
    subject: headerText(oneLine(mail.subject)),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    // The same at every attempt, so that whoever gets it twice can tell.
    messageId: `<${mail.message_id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    // RFC 3834: automatic answers to it (out of office) are not wanted.
    headers: { "Auto-Submitted": "auto-generated" },
    xMailer: false as const,
  };
}

/** A name that looks like an encoded word (RFC 2047) would be decoded at the other end, line feeds and all. */
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
 * A reply to RCPT or DATA is about the message (RFC 5321, 4.2.1: 5yz for good, 4yz for now; 421 closes the whole connection).
 * All else is about us or the server: log-on, sender's address, TLS, network. Then other messages would fare no better, and
 * somebody can put it right. An error of no code is our own mistake.
 */
function outcomeOf(error: SmtpError): Outcome {
  const { code, command, responseCode } = error;
  if (code === undefined) throw error;
  const said = describe(error);
  if (code === "EENVELOPE" && command === "API") return { kind: "refused", error: said };
  const aboutMessage = command === "RCPT TO" || command === "DATA";
  if (!aboutMessage || responseCode === undefined || responseCode === 421 || responseCode === 503) return { kind: "away", error: said };
  return { kind: responseCode >= 500 ? "refused" : "deferred", error: said };
}

/** "550 5.1.1 RCPT TO": the server's codes and the stage, not its text, which may repeat addresses or what we sent. */
function describe({ code, command, responseCode, response }: SmtpError): string {
  if (responseCode === undefined) return [code, command].filter((part) => part !== undefined).join(" ");
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
  return [responseCode, enhanced, command].filter((part) => part !== undefined).join(" ");
}
