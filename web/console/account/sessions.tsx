import type { Session } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { logOut } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/account/en.ts";
import { browserName } from "./browser-name.ts";
import { EndOthers } from "./end-others.tsx";

const words = en.sessions;

const LIMIT = 20;

/** The user's sessions in this organization. */
export function Sessions() {
  const wanted = { page: pageOf(), limit: LIMIT };
  const loaded = useLoad(`sessions ${wanted.page}`, () => list("list_sessions", { query: wanted }));
  const [ending, setEnding] = useState<Session | null>(null);
  const end = async ({ session_id, current, user_agent, ip }: Session) => {
    if (current) return logOut();
    await call("end_session", { params: { session_id } });
    showToast(words.ended(browserName(user_agent), ip));
    await loaded.reload();
  };
  return (
    <section class="stack" aria-labelledby="sessions">
      <h2 id="sessions">{words.title}</h2>
      <PagedTable
        caption={words.caption}
        loaded={loaded}
        columns={columnsOf(setEnding)}
        keyOf={({ session_id }) => session_id}
        empty={null}
      />
      <EndOthers onEnded={loaded.reload} />
      {ending !== null && (
        <Confirm
          title={ending.current ? words.signOutTitle : words.endTitle}
          button={ending.current ? words.signOut : words.end}
          kind="danger"
          onConfirm={() => end(ending)}
          onClose={() => setEnding(null)}
        >
          {ending.current ? words.signOutText : words.endText(browserName(ending.user_agent), ending.ip)}
        </Confirm>
      )}
    </section>
  );
}

const columnsOf = (begin: (session: Session) => void): readonly Column<Session>[] => [
  {
    head: words.columns.browser,
    cell: ({ user_agent, current }) => (
      <>
        <span title={user_agent}>{browserName(user_agent)}</span> {current && <Chip tone="good">{words.this}</Chip>}
      </>
    ),
  },
  { head: words.columns.ip, cell: ({ ip }) => <span class="mono">{ip}</span> },
  { head: words.columns.since, cell: ({ created_at }) => <When at={created_at} /> },
  { head: words.columns.used, cell: ({ last_used_at }) => <When at={last_used_at} /> },
  {
    head: words.columns.actions,
    end: true,
    cell: (session) => (
      <span class="row-acts">
        <button
          type="button"
          class="button"
          aria-label={session.current ? words.signOutHere : words.endLabel(browserName(session.user_agent), session.ip)}
          onClick={() => begin(session)}
        >
          {session.current ? words.signOut : words.endShort}
        </button>
      </span>
    ),
  },
];
