import { Type } from "typebox";
import { type Endpoint, listing, reading } from "../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { Problem } from "../shared/problems.ts";
import { type MailDeps, states } from "./message.ts";
import { presentMessage, presentOpenMessage } from "./present.ts";
import { findMessage, listMessages } from "./store.ts";

const messageView = {
  message_id: idOf("message"),
  to: Type.String(),
  subject: nullable(Type.String({ description: "null once the text is forgotten: sent, failed or expired" })),
  kind: Type.String(),
  state: Type.Enum([...states]),
  created_at: Timestamp,
  sent_at: OptionalTimestamp,
  last_error: nullable(Type.String({ description: "The mail server's reply code and the stage" })),
};

/** The org's own mail, for its admins. A person's mail (password reset, invitation) is in no org's outbox. */
export function mailEndpoints(deps: MailDeps): Endpoint[] {
  return [
    listing({
      name: "list_outbox",
      summary: "The organization's messages and what became of them, newest first",
      path: "/org/outbox",
      access: { role: "admin" },
      item: Type.Object(messageView),
      run: async (admin, page, read) => {
        const { items, total } = await listMessages(read, admin.org, page);
        return { items: items.map((message) => presentMessage(deps, message)), total };
      },
    }),
    reading({
      name: "get_outbox_message",
      summary: "One message with its text, while no mail server is set up",
      path: "/org/outbox/:message_id",
      access: { role: "admin" },
      params: { message_id: "message" },
      missing: "message_not_found",
      answer: [200, Type.Object({ ...messageView, text: nullable(Type.String()), html: nullable(Type.String()) })],
      problems: ["message_closed"],
      secret: true,
      run: async (admin, { params }, read) => {
        const message = await findMessage(read, admin.org, params.message_id);
        // The links in it act in a signer's name: once they can reach the signer's mailbox, nobody else may read them.
        if (deps.smtp !== null) throw new Problem("message_closed");
        return presentOpenMessage(deps, message);
      },
    }),
  ];
}
