import { Type } from "typebox";
import type { Read } from "../db/sql.ts";
import { type Endpoint, reading } from "../http/endpoint.ts";
import { about, idOf, iso, isoOrNull, named, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { RecipientKindShape, RecipientStatusShape } from "../signing/shapes.ts";
import {
  type CompletedEnvelope,
  type Counted,
  countOpen,
  expiringSoon,
  lastCompleted,
  listDrafts,
  type NeedsAttention,
  SOON_DAYS,
  undelivered,
  waitingForMe,
} from "./attention-store.ts";
import { type ExpandedEnvelope, expandEnvelopes } from "./expansion-store.ts";
import { Status } from "./shapes.ts";

export interface AttentionDeps {
  /** deliveries that were given up, as webhooks/ counts them up to this many */
  readonly countFailedDeliveries: (read: Read, org: OrgId, most: number) => Promise<number>;
}

const count = {
  count: about(Type.Integer({ minimum: 0 }), "Stops at 1,000"),
  capped: about(Type.Boolean(), "Whether there are more than `count`"),
};
const CountView = named("AttentionCount", Type.Object(count));

const Recipients = Type.Array(
  named("AttentionRecipient", Type.Object({ name: Type.String(), kind: RecipientKindShape, status: RecipientStatusShape })),
  { description: "At most 5, by step" },
);
const RecipientCount = about(Type.Integer({ minimum: 0 }), "All of them, also those that are not in `recipients`");

const ItemView = named(
  "AttentionEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    status: Status,
    updated_at: Timestamp,
    sent_at: OptionalTimestamp,
    expires_at: OptionalTimestamp,
    person: about(
      nullable(named("AttentionPerson", Type.Object({ name: Type.String(), email: Type.String() }))),
      "Whose message did not arrive; null in the other lists",
    ),
    recipients: Recipients,
    recipient_count: RecipientCount,
  }),
);
const ListView = named("AttentionList", Type.Object({ ...count, items: Type.Array(ItemView, { description: "At most 5" }) }));

const AttentionView = named(
  "Attention",
  Type.Object({
    waiting_for_me: about(nullable(ListView), "Open envelopes that you were asked to act on. Null for API keys, which are not people"),
    open: about(CountView, "Envelopes that were sent and have not ended"),
    drafts: about(ListView, "Envelopes that were not sent yet"),
    undelivered: about(ListView, "Open envelopes whose last message to a person who still has to act did not arrive"),
    expiring_soon: about(ListView, `Open envelopes that expire within ${SOON_DAYS} days, the first to expire first`),
    failed_deliveries: about(nullable(CountView), "Webhook deliveries that were given up and not replayed. Null without webhooks:read"),
  }),
);

const CompletedView = named(
  "LatestCompleted",
  Type.Object({
    items: Type.Array(
      named(
        "CompletedEnvelope",
        Type.Object({
          envelope_id: idOf("envelope"),
          envelope_name: Type.String(),
          status: Status,
          completed_at: Timestamp,
          recipients: Recipients,
          recipient_count: RecipientCount,
        }),
      ),
      { description: "At most 5, the latest first" },
    ),
  }),
);

const example = {
  waiting_for_me: { count: 0, capped: false, items: [] },
  open: { count: 23, capped: false },
  drafts: { count: 0, capped: false, items: [] },
  undelivered: {
    count: 1,
    capped: false,
    items: [
      {
        envelope_id: "env_01jh3q8v5w9x2y4z6a8b0c1d2e",
        envelope_name: "Lease",
        status: "sent",
        updated_at: "2026-01-15T09:30:00.000Z",
        sent_at: "2026-01-15T09:30:00.000Z",
        expires_at: "2026-02-14T09:30:00.000Z",
        person: { name: "Ann Example", email: "ann@example.com" },
        recipients: [{ name: "Ann Example", kind: "signer", status: "pending" }],
        recipient_count: 1,
      },
    ],
  },
  expiring_soon: { count: 0, capped: false, items: [] },
  failed_deliveries: { count: 2, capped: false },
};

const completedExample = {
  items: [
    {
      envelope_id: "env_01jh3q8v5w9x2y4z6a8b0c1d2e",
      envelope_name: "Lease",
      status: "vaulted" as const,
      completed_at: "2026-01-15T09:30:00.000Z",
      recipients: [{ name: "Ann Example", kind: "signer" as const, status: "signed" as const }],
      recipient_count: 1,
    },
  ],
};

const MAX_COUNTED = 1_000;
const MAX_PEOPLE = 5;

/** What an organization's overview page says first. */
export function attentionEndpoints(deps: AttentionDeps): Endpoint[] {
  return [
    reading({
      name: "get_attention",
      summary: "Get what needs attention",
      description:
        "Returns what you and others have to do: envelopes to act on, drafts, messages that did not arrive, envelopes that expire soon and failed webhook deliveries. Counts stop at 1,000. Use it for a dashboard.",
      resource: "Organization",
      sdk: "organization.attention.get",
      path: "/org/attention",
      access: { anyScope: ["envelopes:read"] },
      answer: [200, AttentionView],
      examples: { answer: example },
      run: async ({ org, session, scopes }, _input, read) => {
        const mine = session === null ? null : await waitingForMe(read, org, session.user_id);
        const lists = {
          drafts: await listDrafts(read, org),
          undelivered: await undelivered(read, org),
          soon: await expiringSoon(read, org),
        };
        const ids = [mine, ...Object.values(lists)].flatMap((one) => one?.items.map(({ envelope_id }) => envelope_id) ?? []);
        const people = await expandEnvelopes(read, org, [...new Set(ids)]);
        const failed = scopes.includes("webhooks:read") ? await deps.countFailedDeliveries(read, org, MAX_COUNTED + 1) : null;
        return {
          waiting_for_me: mine === null ? null : presentList(mine, people),
          open: presentCount(await countOpen(read, org)),
          drafts: presentList(lists.drafts, people),
          undelivered: presentList(lists.undelivered, people),
          expiring_soon: presentList(lists.soon, people),
          failed_deliveries: failed === null ? null : { count: Math.min(failed, MAX_COUNTED), capped: failed > MAX_COUNTED },
        };
      },
    }),
    reading({
      name: "get_latest_completed",
      summary: "Get the latest completed envelopes",
      description:
        "Returns the envelopes that all recipients completed most recently, at most five. Originals that were signed elsewhere and deposited are left out. Use it for a dashboard; to act on each completion, use webhooks.",
      resource: "Organization",
      sdk: "organization.latestCompleted.get",
      path: "/org/latest-completed",
      access: { anyScope: ["envelopes:read"] },
      answer: [200, CompletedView],
      examples: { answer: completedExample },
      run: async ({ org }, _input, read) => {
        const items = await lastCompleted(read, org);
        const people = await expandEnvelopes(
          read,
          org,
          items.map(({ envelope_id }) => envelope_id),
        );
        return { items: items.map((item) => presentCompleted(item, people)) };
      },
    }),
  ];
}

const presentCount = ({ count: n, capped }: Counted) => ({ count: n, capped });

const presentList = (found: NeedsAttention, people: ReadonlyMap<EnvelopeId, ExpandedEnvelope>) => ({
  ...presentCount(found),
  items: found.items.map(({ envelope_id, envelope_name, status, updated_at, sent_at, expires_at, person }) => ({
    envelope_id,
    envelope_name,
    status,
    updated_at: iso(updated_at),
    sent_at: isoOrNull(sent_at),
    expires_at: isoOrNull(expires_at),
    person: person === null ? null : { name: person.name, email: person.email },
    ...presentPeople(people.get(envelope_id)),
  })),
});

const presentCompleted = (
  { envelope_id, envelope_name, status, completed_at }: CompletedEnvelope,
  people: ReadonlyMap<EnvelopeId, ExpandedEnvelope>,
) => ({ envelope_id, envelope_name, status, completed_at: iso(completed_at), ...presentPeople(people.get(envelope_id)) });

function presentPeople(envelope: ExpandedEnvelope | undefined) {
  const all = envelope?.recipients ?? [];
  const recipients = all.slice(0, MAX_PEOPLE).map(({ name, kind, status }) => ({ name, kind, status }));
  return { recipients, recipient_count: all.length };
}
