import type { Session } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { logOut } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { browserName } from "./browser-name.ts";

const LIMIT = 20;

/** The user's sessions in this organization. */
export function Sessions() {
  const wanted = { page: pageOf(), limit: LIMIT };
  const loaded = useLoad(`sessions ${wanted.page}`, () => list("list_sessions", { query: wanted }));
  const [ending, setEnding] = useState<Session | null>(null);
  const [message, setMessage] = useState("");
  const end = async ({ session_id, current, user_agent, ip }: Session) => {
    if (current) return logOut();
    await call("end_session", { params: { session_id } });
    setMessage(`Session ended: ${browserName(user_agent)}, ${ip}.`);
    await loaded.reload();
  };
  return (
    <section class="stack" aria-labelledby="sessions">
      <h2 id="sessions">Where you are logged in</h2>
      <StatusNotice>{message}</StatusNotice>
      <PagedTable
        caption="Your sessions in this organization"
        loaded={loaded}
        columns={columnsOf(setEnding)}
        keyOf={({ session_id }) => session_id}
        empty={null}
      />
      {ending !== null && (
        <Confirm
          title={ending.current ? "Sign out?" : "End session?"}
          button={ending.current ? "Sign out" : "End session"}
          kind="danger"
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          {ending.current
            ? "This is your current session."
            : `${browserName(ending.user_agent)}, ${ending.ip}. It is signed out at its next request.`}
        </Confirm>
      )}
    </section>
  );
}

const columnsOf = (begin: (session: Session) => void): readonly Column<Session>[] => [
  {
    head: "Browser",
    cell: ({ user_agent, current }) => (
      <>
        <span title={user_agent}>{browserName(user_agent)}</span> {current && <Chip tone="good">This session</Chip>}
      </>
    ),
  },
  { head: "IP address", cell: ({ ip }) => <span class="mono">{ip}</span> },
  { head: "Logged in", cell: ({ created_at }) => <When at={created_at} /> },
  { head: "Last used", cell: ({ last_used_at }) => <When at={last_used_at} /> },
  {
    head: "Actions",
    end: true,
    cell: (session) => (
      <span class="row-acts">
        <button
          type="button"
          class="button"
          aria-label={session.current ? "Sign out here" : `End session: ${browserName(session.user_agent)}, ${session.ip}`}
          onClick={() => begin(session)}
        >
          {session.current ? "Sign out" : "End"}
        </button>
      </span>
    ),
  },
];
