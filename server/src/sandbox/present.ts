import type { MailDeps } from "../mail/message.ts";
import { presentOpenMessage } from "../mail/present.ts";
import type { CapturedMessage } from "./message-store.ts";

/** The fields of the response, listed explicitly. */
export function presentCaptured(deps: Pick<MailDeps, "mailKey">, message: CapturedMessage) {
  const { message_id, to, kind, subject, text, html, created_at } = presentOpenMessage(deps, message);
  return { message_id, to, kind, envelope_id: message.envelope_id, subject, text, html, links: linksIn(text ?? ""), created_at };
}

const linksIn = (text: string): string[] => [...new Set(text.match(/https?:\/\/[^\s<>"]+/g) ?? [])];
