import type { Invitation } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list, listAll } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { roleNames } from "./api.ts";

const LIMIT = 20;

interface InvitationsProps {
  /** number of changes since the screen was opened; each one reloads the list */
  readonly changes: number;
  readonly onDone: (words: string) => Promise<unknown>;
}

/** All invitations, pending and closed. */
export function Invitations({ changes, onDone }: InvitationsProps) {
  const wanted = { page: pageOf("invitations"), limit: LIMIT };
  const loaded = useLoad(`invitations ${wanted.page} ${changes}`, () => list("list_invitations", { query: wanted }));
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const people = useLoad("who invited", () => listAll("list_members"));
  const names = new Map(people.data?.map(({ user_id, name }) => [user_id, name]));
  const withdraw = async ({ invitation_id, email }: Invitation) => {
    await call("revoke_invitation", { params: { invitation_id } });
    await onDone(`Invitation of ${email} withdrawn.`);
  };
  return (
    <section class="stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <PagedTable
        caption="Invitations, pending and closed"
        loaded={loaded}
        columns={columnsOf(names, setWithdrawing)}
        keyOf={({ invitation_id }) => invitation_id}
        pageName="invitations"
        empty={<p class="quiet">No pending invitations. An invitation is a link for one e-mail address. It works once, for seven days.</p>}
      />
      {withdrawing !== null && (
        <Confirm
          title="Withdraw invitation?"
          button="Withdraw"
          kind="danger"
          onConfirm={() => withdraw(withdrawing)}
          onClose={() => setWithdrawing(null)}
        >
          The link for {withdrawing.email} stops working. You can invite them again.
        </Confirm>
      )}
    </section>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>, begin: (invitation: Invitation) => void): readonly Column<Invitation>[] => [
  { head: "E-mail", cell: ({ email }) => email },
  { head: "Role", cell: ({ role }) => roleNames[role] },
  { head: "State", cell: (invitation) => <State of={invitation} /> },
  {
    head: "Invited",
    cell: ({ created_at, invited_by }) => (
      <>
        <When at={created_at} />
        {invited_by !== null && ` by ${names.get(invited_by) ?? "a former member"}`}
      </>
    ),
  },
  {
    head: "Actions",
    end: true,
    cell: (invitation) =>
      isOpen(invitation) && (
        <span class="row-acts">
          <button type="button" class="button" aria-label={`Withdraw invitation of ${invitation.email}`} onClick={() => begin(invitation)}>
            Withdraw
          </button>
        </span>
      ),
  },
];

const isOpen = ({ accepted_at, revoked_at, expires_at }: Invitation): boolean =>
  accepted_at === null && revoked_at === null && new Date(expires_at).getTime() > Date.now();

function State({ of }: { of: Invitation }) {
  if (of.accepted_at !== null) return <Chip tone="good">Accepted</Chip>;
  if (of.revoked_at !== null) return <Chip>Withdrawn</Chip>;
  if (!isOpen(of)) return <Chip>Expired</Chip>;
  return (
    <>
      <Chip tone="going">Pending</Chip>{" "}
      <span class="quiet small">
        expires <When at={of.expires_at} />
      </span>
    </>
  );
}
