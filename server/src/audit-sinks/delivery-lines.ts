import { addressOf } from "../outbound/fault-of-url.ts";
import { sendOverTls } from "../outbound/send-over-tls.ts";
import { sendRequest } from "../outbound/send-request.ts";
import { signDelivery } from "../outbound/sign-delivery.ts";
import { type SinkDeps, SYSLOG_PORT } from "./sink.ts";

/** One line for the receiver, and what syslog says about it. */
export interface Line {
  readonly text: string;
  readonly type: string;
  readonly at: Date;
}

/** Null if the receiver answered 2xx; otherwise why not. */
export async function sendToWebhook(
  deps: SinkDeps,
  { url, secret, id }: { readonly url: string; readonly secret: string; readonly id: string },
  lines: readonly Line[],
): Promise<string | null> {
  const body = Buffer.from(lines.map(({ text }) => text).join(""));
  const headers = {
    "content-type": "application/x-ndjson",
    "user-agent": `countersign/${deps.version}`,
    ...signDelivery([secret], id, new Date(), body),
  };
  const result = await sendRequest(deps, { method: "POST", url, headers, body }, new AbortController().signal);
  if (result.kind === "failed") return result.error;
  return result.code >= 200 && result.code < 300 ? null : `status_${result.code}`;
}

// Facility 13 (log audit), severity 6 (informational): RFC 5424, 6.2.1.
const PRIORITY = 13 * 8 + 6;
const MAX_MSGID = 32;

/** RFC 5424 with the length before each message, because lines may contain anything (RFC 6587, 3.4.1, and RFC 5425, 4.3). */
export function frameOf(host: string, { text, type, at }: Line): Buffer {
  const header = `<${PRIORITY}>1 ${at.toISOString()} ${host} countersign - ${type.slice(0, MAX_MSGID)} - `;
  const message = Buffer.from(header + text.trimEnd());
  return Buffer.concat([Buffer.from(`${message.byteLength} `), message]);
}

/** `fenced`: an organization chose the address. Null if everything was handed over; syslog has no receipts. */
export function sendToSyslog(deps: SinkDeps, target: string, fenced: boolean, lines: readonly Line[]): Promise<string | null> {
  const url = new URL(target);
  const peer = { host: addressOf(url) ?? url.hostname, port: url.port === "" ? SYSLOG_PORT : Number(url.port), ca: deps.syslogCa };
  const bytes = Buffer.concat(lines.map((line) => frameOf(deps.host, line)));
  return sendOverTls({ ...deps, fence: fenced ? deps.fence : null }, peer, bytes);
}
