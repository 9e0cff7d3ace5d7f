import type { OutboxMessage } from "@countersign/client/types";
import { Dialog } from "../../ui/dialog.tsx";
import { call, list } from "../api.ts";
import { mail } from "../boot.ts";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf, Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { LinkedText } from "./linked-text.tsx";

export function Outbox() {
  if (mail !== "outbox") {
    return (
      <Screen title="Mail outbox">
        <p class="notice">
          A mail server is configured, so messages go to their recipients and are not shown here. Their links would let the reader act as a
          signer.
        </p>
      </Screen>
    );
  }
  return (
    <Screen
      title="Mail outbox"
      lead="No mail server is configured, so these messages were not sent. Open a message and give its link to the person it is addressed to, and to no one else."
    >
      <RequireRole least="admin" to="read the outbox">
        <Messages />
      </RequireRole>
      <p class="quiet small">
        Invitations and password resets are never shown here, because they belong to a person who may also be in other organizations. The
        admin who sends an invitation sees its link. To get a password reset link, run <code>npx countersign users reset-link</code>. To
        configure a mail server, the operator sets <code>SMTP_URL</code>.
      </p>
    </Screen>
  );
}

const show = (message: string | null) => setQuery({ message, page: query.peek().get("page") });

const columns: readonly Column<OutboxMessage>[] = [
  {
    head: "Subject",
    cell: (message) =>
      message.subject === null ? (
        <span class="quiet">{placeholderText(message)}</span>
      ) : (
        <button type="button" class="row-button" onClick={() => show(message.message_id)}>
          {message.subject}
        </button>
      ),
  },
  { head: "To", cell: ({ to }) => <span class="mail-to">{to}</span> },
  { head: "About", cell: ({ kind }) => kindText(kind), minor: true },
  { head: "Status", cell: (message) => <MessageStatus message={message} /> },
  { head: "When", cell: ({ created_at }) => <When at={created_at} /> },
];

const kindText = (kind: string): string => kind.replaceAll("_", " ");

// The signer has already signed or was corrected, or the envelope has ended. The link is no longer needed; this is not an error.
const isWithdrawn = ({ last_error }: OutboxMessage): boolean => last_error === "withdrawn";
const placeholderText = (message: OutboxMessage): string =>
  isWithdrawn(message) ? "The link is no longer needed" : "The text has been deleted";

function MessageStatus({ message }: { message: OutboxMessage }) {
  if (message.state === "sent") return <Chip tone="good">Sent</Chip>;
  if (isWithdrawn(message)) return <Chip>Withdrawn</Chip>;
  if (message.last_error === "expired") return <Chip>Expired</Chip>;
  if (message.state === "failed") return <Chip tone="bad">Failed</Chip>;
  return message.subject === null ? <Chip>Expired</Chip> : <Chip tone="waiting">In outbox</Chip>;
}

function Messages() {
  const page = pageOf();
  const loaded = useLive(`outbox ${page}`, () => list("list_outbox", { query: { page, limit: 20 } }));
  const open = query.value.get("message");
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption="Messages, newest first"
        columns={columns}
        keyOf={({ message_id }) => message_id}
        empty={
          <Empty title="No messages yet">
            Messages that Countersign would e-mail appear here: signature requests, reminders and copies of signed documents. Send an
            envelope to see the first one.
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
    <Dialog title={message?.subject ?? "Message"} onClose={onClose}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {message === null && loaded.isSlow && <Skeleton lines={3} />}
      {message !== null && (
        <>
          <Facts
            facts={[
              ["To", message.to],
              ["About", kindText(message.kind)],
              ["Created", <When key="when" at={message.created_at} />],
            ]}
          />
          {message.text !== null && message.state !== "sent" && (
            <p class="notice">
              Not sent. This is the e-mail that {message.to} would get. Give its link to them yourself. What it says about forwarding is
              meant for them.
            </p>
          )}
          {message.text === null ? <p class="quiet">{placeholderText(message)}.</p> : <LinkedText text={message.text} />}
        </>
      )}
    </Dialog>
  );
}
