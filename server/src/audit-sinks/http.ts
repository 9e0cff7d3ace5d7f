import { Type } from "typebox";
import { auditTypes } from "../audit/catalogue.ts";
import { type Endpoint, serving } from "../http/endpoint.ts";
import { invalidQuery } from "../shared/problems.ts";
import { type AuditSinkDeps, streamLog } from "./stream-log.ts";
import { streamSignIns } from "./stream-sign-ins.ts";

const MAX_LIMIT = 10_000;
const DEFAULT_LIMIT = 1_000;
const Position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export function auditSinkEndpoints(deps: AuditSinkDeps): Endpoint[] {
  return [
    serving({
      name: "export_audit_log",
      summary: "Export the audit log of the organization",
      description:
        'Returns audit entries of the organization and of all its envelopes as lines of JSON (`application/x-ndjson`), in the order of the log: `leaf_index`, `org_id`, `subject` (the chain: the organization or an envelope), `seq`, `type`, `at`, `actor`, `data`, `hash` and `prev`. The last line is `{"next_after": …}`: pass it as `after` to continue. A reader that does so gets each entry once and misses none. An entry appears when the log takes it in, which a worker does every minute. Returns 409 if the log does not have the position `after`, because an older backup was restored.',
      resource: "Organization",
      sdk: "organization.auditLog.export",
      path: "/org/audit-log",
      access: { anyScope: ["audit:read"], alsoNeeds: "audit:export" },
      query: Type.Object({
        after: Type.Optional({ ...Position, description: "The last `leaf_index` that you have. Omit it to start at the beginning" }),
        until: Type.Optional({ ...Position, description: "The last `leaf_index` to return" }),
        types: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: "Only these types, separated by commas" })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: "The maximum number of entries" }),
        ),
      }),
      types: ["application/x-ndjson"],
      problems: ["audit_position_unknown"],
      run: (caller, { query: { after, until, types, limit = DEFAULT_LIMIT } }) =>
        streamLog(deps, caller.org, { after, until, types: typesOf(types), limit }),
    }),
    serving({
      name: "export_sign_in_events",
      summary: "Export failed log-ins and refused requests",
      description:
        'Returns failed and blocked log-ins of members, refused API keys, and requests that were answered with 403, as lines of JSON (`application/x-ndjson`): `event_no`, `user_id` or `key_id`, `ip`, `user_agent`, `method` (`password`, `totp`, `recovery_code`, `passkey`, `session`, `api_key`), `result` (`failed`, `blocked`, `refused`, `forbidden`), `reason`, `count`, `first_at` and `last_at`. One line is one person or key, group of addresses, and reason in one minute; `ip` and `user_agent` are those of its first attempt. At most 200 lines of a minute are kept. Failures of a person are shown to each of their organizations; attempts with addresses that have no account to none. The last line is `{"next_after": …}`: pass it as `after` to continue. An event appears when its minute is over, within about a minute, and is kept for 400 days unless the operator set another time. These events are not part of the audit chain.',
      resource: "Organization",
      sdk: "organization.signInEvents.export",
      path: "/org/sign-in-events",
      access: { anyScope: ["audit:read"], alsoNeeds: "audit:export" },
      query: Type.Object({
        after: Type.Optional({ ...Position, description: "The last `event_no` that you have. Omit it to start at the beginning" }),
        latest: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "Only this many of the latest events. Not together with `after`" }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: "The maximum number of events" }),
        ),
      }),
      types: ["application/x-ndjson"],
      problems: ["audit_position_unknown"],
      run: (caller, { query: { after, latest, limit = DEFAULT_LIMIT } }) => streamSignIns(deps, caller.org, { after, latest, limit }),
    }),
  ];
}

function typesOf(text: string | undefined): readonly string[] | undefined {
  const types = text?.split(",").map((type) => type.trim());
  const unknown = types?.find((type) => !(auditTypes as readonly string[]).includes(type));
  if (unknown !== undefined) throw invalidQuery("types", "invalid_value", `has “${unknown}”, which is not a type of entry`);
  return types;
}
