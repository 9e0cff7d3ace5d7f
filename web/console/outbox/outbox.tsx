import type { OutboxMessage } from "@countersign/client/types";
import { Dialog } from "../../ui/dialog.tsx";
import { call, list } from "../api.ts";
import { useAsked } from "../asked.ts";
import { mail } from "../boot.ts";
import { useLive } from "../live.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { Only } from "../parts/only.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, Listed, pageOf, Skeleton } from "../parts/table.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { When } from "../parts/when.tsx";
import { ask, query } from "../place.ts";
import { LinkedText } from "./linked-text.tsx";

export function Outbox() {
  if (mail !== "outbox") {
    return (
      <Screen title="Mail outbox">
        <p class="notice">
          A mail server is set up, so mail goes to the people it is for and is not read here. What is in it lets its reader act in a
          signer's name.
        </p>
      </Screen>
    );
  }
  return (
    <Screen
      title="Mail outbox"
      lead="No mail server is set up, so mail about your envelopes waits here: open it, and pass its link on to the person it is for."
    >
      <Only least="admin" to="read the outbox">
        <Messages />
      </Only>
      <p class="quiet small">
        Invitations and new passwords are never here: that mail belongs to a person, who may be in other organizations too. An invitation's
        link is shown to the admin who invites; a link for a new password is printed by <code>npx countersign users reset-link</code>. The
        operator of the service sets up a mail server with <code>SMTP_URL</code>.
      </p>
    </Screen>
  );
}

const show = (message: string | null) => ask({ message, page: query.peek().get("page") });

const columns: readonly Column<OutboxMessage>[] = [
  {
    head: "Subject",
    cell: (message) =>
      message.subject === null ? (
        <span class="quiet">{withoutText(message)}</span>
      ) : (
        <button type="button" class="row-button" onClick={() => show(message.message_id)}>
          {message.subject}
        </button>
      ),
  },
  { head: "To", cell: ({ to }) => <span class="mail-to">{to}</span> },
  { head: "About", cell: ({ kind }) => kindWords(kind), minor: true },
  { head: "State", cell: (message) => <State of={message} /> },
  { head: "When", cell: ({ created_at }) => <When at={created_at} /> },
];

const kindWords = (kind: string): string => kind.replaceAll("_", " ");

// Its signer has signed meanwhile, was corrected, or the envelope has ended: its link leads nowhere, and nothing went wrong.
const isWithdrawn = ({ last_error }: OutboxMessage): boolean => last_error === "withdrawn";
const withoutText = (message: OutboxMessage): string =>
  isWithdrawn(message) ? "Its link is not needed any more" : "Its text is forgotten";

function State({ of }: { of: OutboxMessage }) {
  if (of.state === "sent") return <Chip tone="good">Sent</Chip>;
  if (isWithdrawn(of)) return <Chip>No longer needed</Chip>;
  if (of.last_error === "expired") return <Chip>Expired</Chip>;
  if (of.state === "failed") return <Chip tone="bad">Failed</Chip>;
  return of.subject === null ? <Chip>Expired</Chip> : <Chip tone="waiting">Waits here</Chip>;
}

function Messages() {
  const page = pageOf();
  const asked = useLive(`outbox ${page}`, () => list("list_outbox", { query: { page, limit: 20 } }));
  const open = query.value.get("message");
  return (
    <>
      <Listed
        asked={asked}
        caption="Mail that waits, newest first"
        columns={columns}
        keyOf={({ message_id }) => message_id}
        empty={
          <Empty title="No mail yet">
            What the service would mail is here: requests to sign, reminders, copies of what was signed. Send an envelope, and the first one
            comes.
          </Empty>
        }
      />
      {open !== null && <OneMessage message_id={open} onClose={() => show(null)} />}
      <ApiCall operation="list_outbox" credential="$TOKEN" />
    </>
  );
}

function OneMessage({ message_id, onClose }: { message_id: string; onClose: () => void }) {
  const asked = useAsked(message_id, () => call("get_outbox_message", { params: { message_id } }));
  const message = asked.data;
  return (
    <Dialog title={message?.subject ?? "Message"} onClose={onClose}>
      <Trouble of={asked.error} again={asked.reload} />
      {message === null && asked.isSlow && <Skeleton lines={3} />}
      {message !== null && (
        <>
          <Facts
            facts={[
              ["To", message.to],
              ["About", kindWords(message.kind)],
              ["Written", <When key="when" at={message.created_at} />],
            ]}
          />
          {message.text === null ? <p class="quiet">{withoutText(message)}.</p> : <LinkedText text={message.text} />}
        </>
      )}
    </Dialog>
  );
}
