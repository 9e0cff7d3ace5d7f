import { Type } from "typebox";
import { type Endpoint, listing, reading } from "../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { isSandbox } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import * as examples from "./examples.ts";
import { type MailDeps, states } from "./message.ts";
import { presentMessage, presentOpenMessage } from "./present.ts";
import { findMessage, listMessages } from "./store.ts";

const messageView = {
  message_id: idOf("message"),
  to: Type.String(),
  subject: about(nullable(Type.String()), "Null after the message was sent, failed or expired, because its text is then erased"),
  kind: Type.String({ description: "What the message is about, for example `signing_invitation`" }),
  state: about(
    named("OutboxMessageState", Type.Enum([...states])),
    "`sent`: a mail server accepted the message, which does not show that it reached a mailbox",
  ),
  created_at: Timestamp,
  sent_at: about(OptionalTimestamp, "When the mail server accepted the message"),
  last_error: about(nullable(Type.String()), "The mail server's reply code and the SMTP command that it replied to"),
};
const MessageView = named("OutboxMessage", Type.Object(messageView));
const OpenMessageView = named(
  "OutboxMessageWithText",
  Type.Object({ ...messageView, text: nullable(Type.String()), html: nullable(Type.String()) }),
);

/** The organization's own messages, for its admins. Messages that belong to a person (password reset, invitation) are not listed. */
export function mailEndpoints(deps: MailDeps): Endpoint[] {
  return [
    listing({
      name: "list_outbox",
      summary: "List messages in the outbox",
      description:
        "Lists the e-mails that the organization sends, newest first, each with its state. Password resets and invitations belong to a person and are not listed. Without a mail server, and in a sandbox, messages wait here; those of a sandbox are kept for 7 days.",
      resource: "Organization",
      sdk: "outbox.list",
      path: "/org/outbox",
      access: { permission: "mail:manage" },
      item: MessageView,
      examples: { answer: examples.message },
      run: async (admin, page, read) => {
        const { items, total } = await listMessages(read, admin.org, page);
        return { items: items.map((message) => presentMessage(deps, message)), total };
      },
    }),
    reading({
      name: "get_outbox_message",
      summary: "Get a message in the outbox",
      description:
        "Returns one message with its text and HTML, for example to open the signing link in it during development. Works only in a sandbox, whose messages are never sent, and while no mail server is configured. Otherwise it returns 409, because only the recipient can read the text. Text and HTML are null after the message has expired.",
      resource: "Organization",
      sdk: "outbox.get",
      path: "/org/outbox/:message_id",
      access: { permission: "mail:manage" },
      params: { message_id: "message" },
      missing: "message_not_found",
      answer: [200, OpenMessageView],
      problems: ["message_closed"],
      secret: true,
      examples: { answer: examples.openMessage },
      run: async (admin, { params }, read) => {
        const message = await findMessage(read, admin.org, params.message_id);
        // A link in the message lets its holder sign. Once mail can reach the signer, no one else may read it.
        if (deps.smtp !== null && !isSandbox(admin.org)) throw new Problem("message_closed");
        return presentOpenMessage(deps, message);
      },
    }),
  ];
}
