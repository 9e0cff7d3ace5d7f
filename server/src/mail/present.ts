import { iso, isoOrNull } from "../http/shapes.ts";
import { decryptBody } from "./body.ts";
import type { Body, MailDeps, StoredMessage } from "./message.ts";

/** A message as an item of the list, without its text. */
export const presentMessage = (deps: Pick<MailDeps, "mailKey">, message: StoredMessage) => ({
  message_id: message.message_id,
  to: message.to_address,
  subject: bodyOf(deps, message)?.subject ?? null,
  kind: message.kind,
  state: message.state,
  created_at: iso(message.created_at),
  sent_at: isoOrNull(message.sent_at),
  last_error: message.last_error,
});

/** A message with its text, which can contain links. */
export const presentOpenMessage = (deps: Pick<MailDeps, "mailKey">, message: StoredMessage) => {
  const body = bodyOf(deps, message);
  return { ...presentMessage(deps, message), text: body?.text ?? null, html: body?.html ?? null };
};

function bodyOf({ mailKey }: Pick<MailDeps, "mailKey">, { body_enc, body_context }: StoredMessage): Body | null {
  return body_enc === null ? null : decryptBody(mailKey, body_enc, body_context);
}
