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

/** `refused`: this message permanently. `deferred`: this message for now. `away`: the server currently accepts nothing from us. */
export type Outcome = { readonly kind: "sent" } | { readonly kind: "refused" | "deferred" | "away"; readonly error: string };

export interface Smtp {
  send(mail: Outgoing): Promise<Outcome>;
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
    host: settings.host.replace(/^\[(.*)\]$/, "$1"),
    port: settings.port,
    secure: settings.secure,
    ...(settings.auth === null ? {} : { auth: { ...settings.auth } }),
    ...encryption(settings),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A message consists of our own values only. No file or URL is read to compose it.
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

/** Traffic to a relay on this machine cannot be intercepted, and such a relay rarely has a valid certificate. Anywhere else TLS is required. */
function encryption({ host, secure, ca }: SmtpSettings): object {
  if (!secure && isLoopback(host)) return { tls: { rejectUnauthorized: false } };
  return { requireTLS: !secure, tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(ca === undefined ? {} : { ca }) } };
}

// Mail programs shorten longer names in worse places.
const SENDER_NAME_CHARACTERS = 60;

function composed(mail: Outgoing, from: string) {
  const org = mail.org_name === null ? "" : headerText(oneLine(mail.org_name, SENDER_NAME_CHARACTERS));
  return {
    // Objects instead of text, so that a comma in a name or address does not make two of it.
    from: { name: org === "" ? "Countersign" : `${org} via Countersign`, address: from },
    to: { name: "", address: mail.to },
    envelope: { from, to: [mail.to] },
    ...(mail.reply_to === null ? {} : { replyTo: { name: "", address: mail.reply_to } }),
    subject: headerText(oneLine(mail.subject)),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    // The same at every attempt, so that mail programs can recognize duplicates.
    messageId: `<${mail.message_id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    // RFC 3834: asks for no automatic replies (out of office).
    headers: { "Auto-Submitted": "auto-generated" },
    xMailer: false as const,
  };
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
  const said = describe(error);
  if (code === "EENVELOPE" && command === "API") return { kind: "refused", error: said };
  const aboutMessage = command === "RCPT TO" || command === "DATA";
  if (!aboutMessage || responseCode === undefined || responseCode === 421 || responseCode === 503) return { kind: "away", error: said };
  return { kind: responseCode >= 500 ? "refused" : "deferred", error: said };
}

/** "550 5.1.1 RCPT TO": the server's codes and the SMTP command, without its text, which can repeat addresses or our content. */
function describe({ code, command, responseCode, response }: SmtpError): string {
  if (responseCode === undefined) return [code, command].filter((part) => part !== undefined).join(" ");
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? "")?.[1];
  return [responseCode, enhanced, command].filter((part) => part !== undefined).join(" ");
}
