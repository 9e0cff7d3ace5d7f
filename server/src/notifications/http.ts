import { type TSchema, Type } from "typebox";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, idOf, named, nullable, Timestamp } from "../http/shapes.ts";
import type { NotificationId } from "../shared/ids.ts";
import { changeSettings, readSettings } from "./change-settings.ts";
import * as examples from "./examples.ts";
import { type NotificationDeps, notificationKinds, personOf } from "./notification.ts";
import { presentNotification } from "./present.ts";
import { countUnread, listNotifications, markRead } from "./store.ts";

/** What a member is notified of. */

const MAX_IDS = 100;

const NotificationView = named(
  "Notification",
  Type.Object({
    notification_id: idOf("notification"),
    kind: about(
      named("NotificationKind", Type.Enum([...notificationKinds])),
      "`expires_soon`: within two days. `mail_failed`: a message to a signer could not be delivered. `action_needed`: a signer is locked out after a failed identity check, or asks to sign on paper, or it is your turn in an envelope for which you get no mail, or a bulk send is paused. `batch_ended`: a bulk send has ended",
    ),
    envelope_id: nullable(idOf("envelope")),
    batch_id: about(nullable(idOf("bulkBatch")), "The bulk send that it is about"),
    text: about(Type.String(), "What happened, in English, with the names of that time"),
    created_at: Timestamp,
    read_at: nullable(Timestamp),
  }),
);

const ways = {
  console: Type.Boolean({ description: "Listed in the console" }),
  mail: Type.Boolean({ description: "Sent by e-mail" }),
};
const ofEachKind = <T extends TSchema>(schema: T) => Object.fromEntries(notificationKinds.map((kind) => [kind, schema]));
const WaysView = named("NotificationWays", Type.Object(ways));
const WaysBody = named("NotificationWaysChange", Type.Partial(Type.Object(ways)));
const SettingsView = named("NotificationSettings", Type.Object({ kinds: named("NotificationKinds", Type.Object(ofEachKind(WaysView))) }));
const SettingsBody = Type.Object({
  kinds: named("NotificationKindsChange", Type.Partial(Type.Object(ofEachKind(WaysBody)))),
});

const ofPerson = { anyScope: ["envelopes:read"], sessionOnly: true } as const;

export function notificationEndpoints(deps: NotificationDeps): Endpoint[] {
  return [
    listing({
      name: "list_notifications",
      summary: "List your notifications",
      description:
        "Lists what you were notified of, newest first, for 90 days. You are notified of envelopes that you sent; of one that an API key sent, its owner is; if neither is a member any more, every admin is. Notifications belong to people, so API keys get 403.",
      resource: "Notifications",
      sdk: "notifications.list",
      path: "/notifications",
      access: ofPerson,
      query: Type.Object({ unread: Type.Optional(Type.Enum(["true"], { description: "`true`: only those that you have not read" })) }),
      item: NotificationView,
      limits: { limit: 20, max: 100 },
      examples: { answer: examples.notification },
      run: async (caller, { query, ...page }, read) => {
        const wanted = { page: page.page, limit: page.limit, unread: query.unread === "true" };
        const { items, total } = await listNotifications(read, caller.org, personOf(caller), wanted);
        return { items: items.map(presentNotification), total };
      },
    }),
    endpoint({
      name: "read_notifications",
      summary: "Mark notifications as read",
      description: "Marks up to 100 of your notifications as read. Ids that are not yours are passed over. Returns how many are left.",
      resource: "Notifications",
      sdk: "notifications.read",
      method: "POST",
      path: "/notifications/read",
      access: ofPerson,
      body: Type.Object({ ids: Type.Array(idOf("notification"), { minItems: 1, maxItems: MAX_IDS }) }),
      answer: [200, named("UnreadNotifications", Type.Object({ unread: Type.Integer() }))],
      examples: { request: examples.read, answer: { unread: 2 } },
      run: async (caller, { body }) =>
        deps.db.tx(caller.org, async (tx) => {
          await markRead(tx, caller.org, personOf(caller), body.ids as NotificationId[]);
          return { unread: await countUnread(tx, caller.org, personOf(caller)) };
        }),
    }),
    reading({
      name: "get_notification_settings",
      summary: "Show what you are notified of",
      description: "Returns for each kind whether you are notified in the console and by e-mail. Both are on until you change them.",
      resource: "Notifications",
      sdk: "notifications.settings.get",
      path: "/notifications/settings",
      access: ofPerson,
      answer: [200, SettingsView],
      examples: { answer: examples.settings },
      run: async (caller, _input, read) => ({ kinds: await readSettings(read, caller) }),
    }),
    endpoint({
      name: "update_notification_settings",
      summary: "Change what you are notified of",
      description: "Changes the ways that you send. It counts from then on: notifications that exist stay.",
      resource: "Notifications",
      sdk: "notifications.settings.update",
      method: "PATCH",
      path: "/notifications/settings",
      access: ofPerson,
      body: SettingsBody,
      answer: [200, SettingsView],
      examples: { request: examples.change, answer: examples.settings },
      run: async (caller, { body }) => ({ kinds: await changeSettings(deps, caller, body.kinds) }),
    }),
  ];
}
