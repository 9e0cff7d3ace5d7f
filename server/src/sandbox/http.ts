import { Type } from "typebox";
import { type Endpoint, listing } from "../http/endpoint.ts";
import { about, Email, idOf, named, nullable, Timestamp } from "../http/shapes.ts";
import type { MailDeps } from "../mail/message.ts";
import * as examples from "./examples.ts";
import { listCaptured } from "./message-store.ts";
import { presentCaptured } from "./present.ts";

const MessageView = named(
  "CapturedMessage",
  Type.Object({
    message_id: idOf("message"),
    to: Type.String(),
    kind: Type.String({ description: "What the message is about, for example `signing_invitation`" }),
    envelope_id: nullable(idOf("envelope")),
    subject: nullable(Type.String()),
    text: nullable(Type.String()),
    html: nullable(Type.String()),
    links: about(Type.Array(Type.String()), "The links in the text, in their order: a signing link is one of them"),
    created_at: Timestamp,
  }),
);

/** Operations for tests. In every organization but a sandbox their paths do not exist. */
export function testEndpoints(deps: Pick<MailDeps, "mailKey">): Endpoint[] {
  return [
    listing({
      name: "list_test_messages",
      summary: "List captured e-mails of a sandbox",
      description:
        "Lists the e-mails that a sandbox would have sent, newest first, with their text and links, for 7 days. Use it in tests to follow a signing link or to read a code. In an organization that is not a sandbox the path returns 404.",
      resource: "Sandbox",
      sdk: "test.messages.list",
      path: "/test/messages",
      access: { anyScope: ["envelopes:read"] },
      testOnly: true,
      query: Type.Object({
        to: Type.Optional(about(Email, "Only messages to this address")),
        envelope_id: Type.Optional(about(idOf("envelope"), "Only messages about this envelope")),
      }),
      item: MessageView,
      examples: { answer: examples.message },
      run: async ({ org }, { query, page, limit }, read) => {
        const { items, total } = await listCaptured(read, org, { ...query, page, limit });
        return { items: items.map((message) => presentCaptured(deps, message)), total };
      },
    }),
  ];
}
