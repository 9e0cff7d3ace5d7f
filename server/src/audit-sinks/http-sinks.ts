import { Type } from "typebox";
import { type Endpoint, endpoint, listing } from "../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { MAX_URL_LENGTH } from "../outbound/fault-of-url.ts";
import { addSink } from "./add-sink.ts";
import { deleteSink } from "./delete-sink.ts";
import * as examples from "./examples.ts";
import { presentNewSink, presentSink } from "./present.ts";
import { type SinkDeps, sinkKinds } from "./sink.ts";
import { listSinks } from "./sink-store.ts";
import { testSink } from "./test-sink.ts";
import { updateSink } from "./update-sink.ts";

const Kind = named("AuditSinkKind", Type.Enum([...sinkKinds]));
const Target = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  description: "For webhook an address that webhooks may be sent to, for syslog one such as `syslog+tls://logs.example.com:6514`",
});
const From = named(
  "AuditSinkFrom",
  Type.Enum(["beginning", "now"], { description: "`beginning`: all entries of the organization; `now`: those recorded from now on" }),
);
const view = {
  sink_id: idOf("auditSink"),
  kind: Kind,
  target: Type.String(),
  enabled: Type.Boolean(),
  state: named("AuditSinkState", Type.Enum(["ok", "failing", "off"])),
  after: about(nullable(Type.Integer()), "`leaf_index` of the last position that it has. Null: nothing yet"),
  last_success_at: OptionalTimestamp,
  failing_since: about(OptionalTimestamp, "The first failure after which nothing arrived"),
  last_error: about(
    nullable(Type.String()),
    "Why the latest attempt failed: an error as in webhook attempts, `status_` and the status of the answer, `key_service_away`, `secret_unreadable` if the stored secret was changed or its key is gone (add the sink again), or `position_unknown` after an older backup was restored",
  ),
  next_attempt_at: about(OptionalTimestamp, "After a failure: when it is tried again"),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const SinkView = named("AuditSink", Type.Object(view));
const Secret = about(nullable(Type.String()), "Signs the requests according to Standard Webhooks. Shown only here; null for syslog");
const DeletedView = named("DeletedAuditSink", Type.Object({ sink_id: idOf("auditSink"), deleted: Type.Literal(true) }));
const TestedView = named(
  "AuditSinkTest",
  Type.Object({
    sink_id: idOf("auditSink"),
    accepted: Type.Boolean({ description: "The receiver answered 2xx. For syslog: the line was handed over, which has no receipt" }),
    error: about(nullable(Type.String()), "Why it was not accepted"),
  }),
);

const shared = { resource: "Organization", access: { permission: "audit:export" } } as const;
const one = { path: "/org/audit-sinks/:sink_id", params: { sink_id: "auditSink" }, missing: "audit_sink_not_found" } as const;

/** The systems that an organization's audit entries are sent to. */
export function sinkEndpoints(deps: SinkDeps): Endpoint[] {
  return [
    listing({
      name: "list_audit_sinks",
      summary: "List audit sinks",
      description: "Lists the systems that the organization's audit entries are sent to, newest first, with their state.",
      sdk: "organization.auditSinks.list",
      ...shared,
      path: "/org/audit-sinks",
      item: SinkView,
      examples: { answer: examples.sink },
      run: async (caller, page, read) => {
        const { items, total } = await listSinks(read, caller.org, page);
        return { items: items.map(presentSink), total };
      },
    }),
    endpoint({
      name: "create_audit_sink",
      summary: "Create an audit sink",
      stepUp: true,
      description:
        "Sends the organization's audit entries to another system, in the order of the log and as the lines of `GET /org/audit-log`. `webhook`: a POST request with up to 500 lines (`application/x-ndjson`), signed like webhooks; the next lines follow after an answer 2xx. `syslog`: one message of RFC 5424 for each line, over TLS, with the length before each message; syslog has no receipts, so up to 500 lines can be lost if the connection breaks. Lines can arrive twice after a failure: `leaf_index` identifies them. Failed attempts are repeated at growing intervals, at least once an hour, and the admins get an e-mail after an hour of failures. An organization can have 3 sinks.",
      sdk: "organization.auditSinks.create",
      method: "POST",
      ...shared,
      path: "/org/audit-sinks",
      body: Type.Object({
        kind: Kind,
        target: Target,
        enabled: Type.Optional(Type.Boolean()),
        from: Type.Optional(From),
      }),
      answer: [201, named("AuditSinkWithSecret", Type.Object({ ...view, secret: Secret }))],
      problems: ["too_many_audit_sinks", "key_service_away"],
      secret: true,
      examples: { request: examples.wanted, answer: examples.newSink },
      prepare: (caller, { body }) => addSink.prepare(deps, caller, body),
      run: async (caller, { body }, prepared) => presentNewSink(await addSink.save(deps, caller, body, prepared)),
    }),
    endpoint({
      name: "update_audit_sink",
      summary: "Update an audit sink",
      stepUp: true,
      description:
        "Changes the fields that you send. Any change makes the next attempt due at once. `from` moves the position; without it the sink continues after the last entry that it has, also after it was off.",
      sdk: "organization.auditSinks.update",
      method: "PATCH",
      ...shared,
      ...one,
      body: Type.Object({ target: Type.Optional(Target), enabled: Type.Optional(Type.Boolean()), from: Type.Optional(From) }),
      answer: [200, SinkView],
      examples: { request: examples.change, answer: examples.changed },
      run: async (caller, { params, body }) => presentSink(await updateSink(deps, caller, params.sink_id, body)),
    }),
    endpoint({
      name: "delete_audit_sink",
      summary: "Delete an audit sink",
      stepUp: true,
      description: "Deletes a sink. Nothing more is sent to it.",
      sdk: "organization.auditSinks.delete",
      method: "DELETE",
      ...shared,
      ...one,
      answer: [200, DeletedView],
      examples: { answer: examples.deleted },
      run: async (caller, { params: { sink_id } }) => {
        await deleteSink(deps, caller, sink_id);
        return { sink_id, deleted: true } as const;
      },
    }),
    endpoint({
      name: "test_audit_sink",
      summary: "Test an audit sink",
      stepUp: true,
      description: "Sends one line of the type `audit_sink.test`, which is no audit entry, and returns whether it was accepted.",
      sdk: "organization.auditSinks.test",
      method: "POST",
      ...shared,
      ...one,
      path: "/org/audit-sinks/:sink_id/test",
      // Asks the receiver.
      idempotent: false,
      answer: [200, TestedView],
      problems: ["key_service_away"],
      examples: { answer: examples.tested },
      run: async (caller, { params: { sink_id } }) => {
        const error = await testSink(deps, caller, sink_id);
        return { sink_id, accepted: error === null, error };
      },
    }),
  ];
}
