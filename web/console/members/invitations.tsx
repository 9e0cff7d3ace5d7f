import type { Invitation } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list, listAll } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { serverNow } from "../server-now.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/members/en.ts";
import { roleNames } from "./api.ts";

const words = en.invitations;

const LIMIT = 20;

interface InvitationsProps {
  /** number of changes since the screen was opened; each one reloads the list */
  readonly changes: number;
  readonly onDone: (text: string) => Promise<unknown>;
}

/** All invitations, pending and closed. */
export function Invitations({ changes, onDone }: InvitationsProps) {
  const wanted = { page: pageOf("invitations"), limit: LIMIT };
  const loaded = useLoad(`invitations ${wanted.page} ${changes}`, () => list("list_invitations", { query: wanted }));
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const people = useLoad("who invited", () => listAll("list_members"));
  const names = people.data === null ? null : new Map(people.data.map(({ user_id, name }) => [user_id, name]));
  const withdraw = async ({ invitation_id, email }: Invitation) => {
    await call("revoke_invitation", { params: { invitation_id } });
    await onDone(words.done(email));
  };
  return (
    <section class="stack" aria-labelledby="invitations">
      <h2 id="invitations">{words.title}</h2>
      <PagedTable
        caption={words.caption}
        loaded={loaded}
        columns={columnsOf(names, setWithdrawing)}
        keyOf={({ invitation_id }) => invitation_id}
        pageName="invitations"
        empty={<p class="quiet">{words.none}</p>}
      />
      {withdrawing !== null && (
        <Confirm
          title={words.withdrawTitle}
          button={words.withdraw}
          kind="danger"
          onConfirm={() => withdraw(withdrawing)}
          onClose={() => setWithdrawing(null)}
        >
          {words.withdrawText(withdrawing.email)}
        </Confirm>
      )}
    </section>
  );
}

const columnsOf = (names: ReadonlyMap<string, string> | null, begin: (invitation: Invitation) => void): readonly Column<Invitation>[] => [
  { head: en.email, cell: ({ email }) => <span class="address">{email}</span> },
  { head: en.role, cell: ({ role }) => <span class="unbroken">{roleNames[role]}</span> },
  { head: words.state, cell: (invitation) => <State of={invitation} /> },
  {
    head: words.invited,
    cell: ({ created_at, invited_by }) => (
      <>
        <When at={created_at} />
        {invited_by !== null && names !== null && words.by(names.get(invited_by) ?? words.former)}
      </>
    ),
  },
  {
    head: en.actions,
    end: true,
    cell: (invitation) =>
      isOpen(invitation) && (
        <span class="row-acts">
          <button type="button" class="button" aria-label={words.withdrawOf(invitation.email)} onClick={() => begin(invitation)}>
            {words.withdraw}
          </button>
        </span>
      ),
  },
];

const isOpen = ({ accepted_at, revoked_at, expires_at }: Invitation): boolean =>
  accepted_at === null && revoked_at === null && new Date(expires_at).getTime() > serverNow();

function State({ of }: { of: Invitation }) {
  if (of.accepted_at !== null) return <Chip tone="good">{words.accepted}</Chip>;
  if (of.revoked_at !== null) return <Chip>{words.withdrawn}</Chip>;
  if (!isOpen(of)) return <Chip>{words.expired}</Chip>;
  return (
    <>
      <Chip tone="going">{words.pending}</Chip>{" "}
      <span class="quiet small unbroken">
        {words.expires} <When at={of.expires_at} />
      </span>
    </>
  );
}
