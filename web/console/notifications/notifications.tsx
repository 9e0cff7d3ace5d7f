import type { Notification } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/notifications/en.ts";
import { markRead } from "./mark-read.ts";
import { NotificationSettings } from "./notification-settings.tsx";

const PER_PAGE = 20;

function placeOf({ envelope_id, batch_id }: Pick<Notification, "envelope_id" | "batch_id">): string | null {
  if (envelope_id !== null) return `/envelopes/${envelope_id}`;
  return batch_id === null ? null : `/bulk/${batch_id}`;
}

const columnsWith = (onOpen: (notification_id: string) => void): readonly Column<Notification>[] => [
  {
    head: words.columns.what,
    cell: ({ notification_id, text, read_at, ...about }) => {
      const to = placeOf(about);
      return (
        <span class={read_at === null ? "unread" : undefined}>
          {to === null ? (
            text
          ) : (
            <Link to={to} class="row-link" onFollow={() => onOpen(notification_id)}>
              {text}
            </Link>
          )}
        </span>
      );
    },
  },
  {
    head: words.columns.state,
    cell: ({ read_at }) => (read_at === null ? <Chip tone="waiting">{words.new}</Chip> : <Chip>{words.read}</Chip>),
  },
  { head: words.columns.when, cell: ({ created_at }) => <When at={created_at} /> },
];

/** What the user was notified of, and of what they want to be. */
export function Notifications() {
  const page = pageOf();
  const isUnread = query.value.get("show") === "unread";
  const sending = useSending();
  const asked = { page, limit: PER_PAGE, ...(isUnread && { unread: "true" as const }) };
  const loaded = useLoad(`notifications ${page} ${isUnread}`, () => list("list_notifications", { query: asked }));
  const fresh = (loaded.data?.data ?? []).filter(({ read_at }) => read_at === null).map(({ notification_id }) => notification_id);
  const readAll = async () => {
    await markRead(fresh);
    await loaded.reload();
  };
  return (
    <Screen title={words.title} lead={words.lead}>
      <div class="filters">
        <button type="button" class="button" aria-pressed={isUnread} onClick={() => setQuery({ show: isUnread ? null : "unread" })}>
          {words.onlyNew}
        </button>
        {fresh.length > 0 && (
          <button type="button" class="button" disabled={sending.isBusy} onClick={() => void sending.run(readAll)}>
            {words.markRead}
          </button>
        )}
      </div>
      <ErrorNotice error={sending.error} />
      <PagedTable
        loaded={loaded}
        caption={words.caption}
        columns={columnsWith((id) => void sending.run(() => markRead([id])))}
        keyOf={({ notification_id }) => notification_id}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
      />
      <NotificationSettings />
      <ApiCall operation="list_notifications" credential="$TOKEN" />
    </Screen>
  );
}
