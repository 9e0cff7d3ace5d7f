import type { OutboxMessage } from "@countersign/client/types";
import { call, list } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { hasOutbox } from "../menu.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { isTest, may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/outbox/en.ts";
import { LinkedText } from "./linked-text.tsx";

export function Outbox() {
  if (!hasOutbox()) {
    return (
      <Screen title={words.title}>
        <p class="notice">{words.configured}</p>
      </Screen>
    );
  }
  return (
    <Screen title={words.title} lead={isTest() ? words.testLead : words.lead}>
      <RequirePermission needs="mail:manage" to={words.role}>
        <Messages />
      </RequirePermission>
      {!isTest() && (
        <p class="quiet small">
          {words.others[0]}
          <code>npx countersign users reset-link</code>
          {words.others[1]}
          <code>SMTP_URL</code>
          {words.others[2]}
        </p>
      )}
    </Screen>
  );
}

const show = (message: string | null) => setQuery({ message, page: query.peek().get("page") });

const columns: readonly Column<OutboxMessage>[] = [
  {
    head: words.columns.subject,
    cell: (message) =>
      message.subject === null ? (
        <span class="quiet">{placeholderText(message)}</span>
      ) : (
        <button type="button" class="row-button" onClick={() => show(message.message_id)}>
          {message.subject}
        </button>
      ),
  },
  { head: words.columns.to, cell: ({ to }) => <span class="address">{to}</span> },
  { head: words.columns.about, cell: ({ kind }) => <span class="unbroken">{kindText(kind)}</span>, minor: true },
  { head: words.columns.status, cell: (message) => <MessageStatus message={message} /> },
  { head: words.columns.when, cell: ({ created_at }) => <When at={created_at} /> },
];

const kindText = (kind: string): string => kind.replaceAll("_", " ");

// The signer has already signed or was corrected, or the envelope has ended. The link is no longer needed; this is not an error.
const isWithdrawn = ({ last_error }: OutboxMessage): boolean => last_error === "withdrawn";
const placeholderText = (message: OutboxMessage): string => (isWithdrawn(message) ? words.notNeeded : words.deleted);

function MessageStatus({ message }: { message: OutboxMessage }) {
  if (message.state === "sent") return <Chip tone="good">{words.states.sent}</Chip>;
  if (isWithdrawn(message)) return <Chip>{words.states.withdrawn}</Chip>;
  if (message.last_error === "expired") return <Chip>{words.states.expired}</Chip>;
  if (message.state === "failed") return <Chip tone="bad">{words.states.failed}</Chip>;
  return message.subject === null ? <Chip>{words.states.expired}</Chip> : <Chip tone="waiting">{words.states.waiting}</Chip>;
}

function Messages() {
  const page = pageOf();
  const loaded = useLive(`outbox ${page}`, () => list("list_outbox", { query: { page, limit: 20 } }));
  const open = query.value.get("message");
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={words.caption}
        columns={columns}
        keyOf={({ message_id }) => message_id}
        empty={
          <Empty title={words.none} glyph="mail" {...(may("envelopes:write") && { action: <ToNew /> })}>
            {words.noneText}
          </Empty>
        }
      />
      {open !== null && <MessageDialog message_id={open} onClose={() => show(null)} />}
      <ApiCall operation="list_outbox" credential="$TOKEN" />
    </>
  );
}

function MessageDialog({ message_id, onClose }: { message_id: string; onClose: () => void }) {
  const loaded = useLoad(message_id, () => call("get_outbox_message", { params: { message_id } }));
  const message = loaded.data;
  return (
    <Dialog title={message?.subject ?? words.message} onClose={onClose}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {message === null && loaded.isSlow && <Skeleton lines={3} />}
      {message !== null && (
        <>
          <Facts
            facts={[
              [words.facts.to, message.to],
              [words.facts.about, kindText(message.kind)],
              [words.facts.created, <When key="when" at={message.created_at} />],
            ]}
          />
          {message.text !== null && message.state !== "sent" && <p class="notice">{words.notSent(message.to)}</p>}
          {message.text === null ? <p class="quiet">{placeholderText(message)}.</p> : <LinkedText text={message.text} />}
        </>
      )}
    </Dialog>
  );
}

const ToNew = () => (
  <Link to="/envelopes/new" class="button primary">
    {words.create}
  </Link>
);
