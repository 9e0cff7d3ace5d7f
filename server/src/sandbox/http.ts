import { Type } from "typebox";
import { presentStatus } from "../envelopes/present.ts";
import { Status, StatusView } from "../envelopes/shapes.ts";

import { type Endpoint, endpoint, listing } from "../http/endpoint.ts";
import { about, Email, idOf, named, nullable, Timestamp } from "../http/shapes.ts";
import { noteMismatch } from "../signing/noting-mismatch.ts";
import { EventType } from "../webhooks/http.ts";
import { advanceDeadlines, deadlines } from "./advance-deadlines.ts";
import { appendTestEvent, type WantedEvent } from "./append-test-event.ts";
import { declineEnvelope } from "./decline-envelope.ts";
import * as examples from "./examples.ts";
import { listCaptured } from "./message-store.ts";
import type { TestDeps } from "./operation.ts";
import { presentCaptured } from "./present.ts";
import { signEnvelope, type ToSign } from "./sign-envelope.ts";

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

const NOT_LIVE = "In an organization that is not a sandbox the path returns 404.";

const SignBody = Type.Object({
  emails: Type.Optional(
    about(Type.Array(Email, { minItems: 1, maxItems: 100 }), "The recipients to act for. Without it, everyone who must act and has not"),
  ),
  values: Type.Optional(
    about(
      Type.Object({}, { additionalProperties: true }),
      "What the recipients enter, by the name of the field, as in `prefilled_data`. A required field without a value is 422",
    ),
  ),
});
const DeclineBody = Type.Object({
  email: about(Email, "The signer or approver who declines"),
  reason: Type.Optional(about(Type.String({ maxLength: 500 }), "An approver must give one")),
});

const ofEnvelope = {
  resource: "Sandbox",
  method: "POST",
  params: { envelope_id: "envelope" },
  missing: "envelope_not_found",
  testOnly: true,
} as const;
const actProblems = [
  ...["envelope_wrong_status", "recipient_has_acted", "not_your_turn", "not_your_task", "signer_locked", "identity_unavailable"],
  ...["record_mismatch", "rate_limited"],
] as const;

const AdvanceBody = Type.Object({ days: Type.Integer({ minimum: 1, maximum: 400 }) });
const AdvancedView = named(
  "AdvancedTestEnvelope",
  Type.Object({
    status: Status,
    applied: about(
      Type.Array(named("AppliedDeadline", Type.Enum([...deadlines]))),
      "What happened, in this order. `expiry_announced`: the sender was told that the envelope expires soon",
    ),
  }),
);
const EventBody = Type.Object({
  event_type: about(EventType, "A reserved type is 422"),
  envelope_id: Type.Optional(
    about(idOf("envelope"), "The envelope that the event names, with its customer. Without it, an ID that no envelope has"),
  ),
});
const EventView = named(
  "AppendedTestEvent",
  Type.Object({ event_id: idOf("event"), event_type: EventType, envelope_id: nullable(idOf("envelope")) }),
);

/** Operations for tests. In every organization but a sandbox their paths do not exist. */
export function testEndpoints(deps: TestDeps): Endpoint[] {
  return [...actingFor(deps), ...lettingTimePass(deps), ...appendingEvents(deps), ...readingMail(deps)];
}

function lettingTimePass(deps: TestDeps): Endpoint[] {
  return [
    endpoint({
      name: "advance_test_envelope",
      summary: "Let days pass for an envelope",
      description: `Moves the deadlines of an open envelope earlier, its expiry and its next automatic reminder, and applies what is due: a reminder, the notice to the sender that it expires soon, or its end. At most one of each, also if more would have been due. A deadline that would lie in the past is now; the times of what has happened do not change. ${NOT_LIVE}`,
      sdk: "test.envelopes.advance",
      path: "/test/envelopes/:envelope_id/advance",
      ...ofEnvelope,
      access: { anyScope: ["envelopes:write"] },
      body: AdvanceBody,
      answer: [200, AdvancedView],
      problems: ["envelope_wrong_status"],
      examples: { request: { days: 40 }, answer: { status: "expired", applied: ["reminded", "expired"] } },
      run: (caller, { params, body }) => advanceDeadlines(deps, caller, params.envelope_id, body.days),
    }),
  ];
}

function appendingEvents(deps: TestDeps): Endpoint[] {
  return [
    endpoint({
      name: "append_test_event",
      summary: "Send an event with sample data",
      description: `Appends an event of a type that you choose, with sample data, and delivers it to every webhook endpoint of the sandbox that wants it. Nothing else changes: an \`envelope.sent\` sends no envelope. ${NOT_LIVE}`,
      resource: "Sandbox",
      sdk: "test.events.create",
      method: "POST",
      path: "/test/events",
      testOnly: true,
      access: { anyScope: ["webhooks:write"] },
      body: EventBody,
      answer: [202, EventView],
      problems: ["envelope_not_found"],
      examples: { request: { event_type: "envelope.sent" }, answer: examples.appended },
      run: (caller, { body }) => appendTestEvent(deps, caller, body as WantedEvent),
    }),
  ];
}

/** What people do on the signing page. */
function actingFor(deps: TestDeps): Endpoint[] {
  return [
    endpoint({
      name: "sign_test_envelope",
      summary: "Sign an envelope in place of its recipients",
      description: `Runs the ceremony of each recipient who must act, in their order: signers agree, fill in their fields and sign with their typed name, approvers approve, and viewers confirm. Identity steps are recorded as passed. Every entry in the audit trail says \`by: test_operation\`, and so do the certificates. All of it takes effect, or, if someone cannot act, nothing. ${NOT_LIVE}`,
      sdk: "test.envelopes.sign",
      path: "/test/envelopes/:envelope_id/sign",
      ...ofEnvelope,
      access: { anyScope: ["esign:write"] },
      body: SignBody,
      answer: [200, StatusView],
      problems: [...actProblems, "document_unavailable", "pdf_busy"],
      examples: { request: { values: { "Tenant name": "Ann Example" } }, answer: examples.signed },
      prepare: (caller, { params }) => signEnvelope.draw(deps, caller, params.envelope_id),
      failed: (caller, error) => noteMismatch(deps.signing, caller.org, error),
      run: async (caller, { params, body }) => presentStatus(await signEnvelope.run(deps, caller, params.envelope_id, body as ToSign)),
    }),
    endpoint({
      name: "decline_test_envelope",
      summary: "Decline an envelope in place of a recipient",
      description: `Opens the envelope for a signer, who then declines, or for an approver, who then rejects it. The envelope ends for everyone, and the others are told as usual. The entries in the audit trail say \`by: test_operation\`. ${NOT_LIVE}`,
      sdk: "test.envelopes.decline",
      path: "/test/envelopes/:envelope_id/decline",
      ...ofEnvelope,
      access: { anyScope: ["esign:write"] },
      body: DeclineBody,
      answer: [200, StatusView],
      problems: [...actProblems, "already_signed", "read_only"],
      examples: { request: { email: "ann@example.com", reason: "The rent is too high" }, answer: examples.declined },
      failed: (caller, error) => noteMismatch(deps.signing, caller.org, error),
      run: async (caller, { params, body }) => presentStatus(await declineEnvelope(deps, caller, params.envelope_id, body)),
    }),
  ];
}

function readingMail(deps: TestDeps): Endpoint[] {
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
        return { items: items.map((message) => presentCaptured(deps.mail, message)), total };
      },
    }),
  ];
}
