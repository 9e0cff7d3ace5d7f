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
  /** how many there were since the screen came: each may have changed the list */
  readonly acts: number;
  readonly onDone: (words: string) => Promise<unknown>;
}

/** Open and ended ones. */
export function Invitations({ acts, onDone }: InvitationsProps) {
  const wanted = { page: pageOf("invitations"), limit: LIMIT };
  const loaded = useLoad(`invitations ${wanted.page} ${acts}`, () => list("list_invitations", { query: wanted }));
  const [taking, setTaking] = useState<Invitation | null>(null);
  const people = useLoad("who invited", () => listAll("list_members"));
  const names = new Map(people.data?.map(({ user_id, name }) => [user_id, name]));
  const takeBack = async ({ invitation_id, email }: Invitation) => {
    await call("revoke_invitation", { params: { invitation_id } });
    await onDone(`The invitation of ${email} is taken back.`);
  };
  return (
    <section class="stack" aria-labelledby="invitations">
      <h2 id="invitations">Invitations</h2>
      <PagedTable
        caption="Invitations, open and ended"
        loaded={loaded}
        columns={columnsOf(names, setTaking)}
        keyOf={({ invitation_id }) => invitation_id}
        pageName="invitations"
        empty={<p class="quiet">Nobody was invited yet. An invitation is a link for one e-mail address; it works once, for seven days.</p>}
      />
      {taking !== null && (
        <Confirm
          title="Take the invitation back?"
          button="Take back"
          kind="danger"
          onConfirm={() => takeBack(taking)}
          onClose={() => setTaking(null)}
        >
          The link that {taking.email} has stops working. You can invite them again.
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
          <button
            type="button"
            class="button"
            aria-label={`Take back the invitation of ${invitation.email}`}
            onClick={() => begin(invitation)}
          >
            Take back
          </button>
        </span>
      ),
  },
];

const isOpen = ({ accepted_at, revoked_at, expires_at }: Invitation): boolean =>
  accepted_at === null && revoked_at === null && new Date(expires_at).getTime() > Date.now();

function State({ of }: { of: Invitation }) {
  if (of.accepted_at !== null) return <Chip tone="good">Accepted</Chip>;
  if (of.revoked_at !== null) return <Chip>Taken back</Chip>;
  if (!isOpen(of)) return <Chip>Ended</Chip>;
  return (
    <>
      <Chip tone="going">Open</Chip>{" "}
      <span class="quiet small">
        ends <When at={of.expires_at} />
      </span>
    </>
  );
}
