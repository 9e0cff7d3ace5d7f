import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import type { Page } from "../../operation.ts";
import { call } from "../api.ts";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { clearSession, hasRole, me } from "../session.ts";
import type { Loadable } from "../use-load.ts";
import { roleNames } from "./api.ts";
import { CustodianDialog } from "./custodian-dialog.tsx";
import { RoleDialog } from "./role.tsx";

type Doing = { readonly act: "role" | "remove" | "custody"; readonly to: Member };

interface PeopleProps {
  readonly loaded: Loadable<Page<Member>>;
  /** called with a message about the result */
  readonly onDone: (words: string) => Promise<unknown>;
}

const isMe = ({ user_id }: Member): boolean => user_id === me().user.user_id;

export function People({ loaded, onDone }: PeopleProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const closeRemoval = () => setDoing((now) => (now?.act === "remove" ? null : now));
  const remove = async (member: Member, custody?: "leave") => {
    try {
      await call("remove_member", { params: { user_id: member.user_id }, query: { custody } });
    } catch (error) {
      if (!isCustodian(error)) throw error;
      return setDoing({ act: "custody", to: member });
    }
    // Their own session ended with the removal.
    if (isMe(member)) clearSession();
    else await onDone(`${member.name} was removed.`);
  };
  return (
    <>
      <PagedTable
        caption="Members of this organization"
        loaded={loaded}
        columns={hasRole("admin") ? [...columns, actionsColumn(setDoing)] : columns}
        keyOf={({ user_id }) => user_id}
        empty={null}
      />
      {doing?.act === "role" && <RoleDialog member={doing.to} isMe={isMe(doing.to)} onDone={onDone} onClose={close} />}
      {doing?.act === "remove" && (
        <Confirm
          title={isMe(doing.to) ? "Leave this organization?" : `Remove ${doing.to.name}?`}
          button={isMe(doing.to) ? "Leave" : "Remove"}
          kind="danger"
          onConfirm={() => remove(doing.to)}
          onClose={closeRemoval}
        >
          {isMe(doing.to) ? "You are" : `${doing.to.name} (${doing.to.email}) is`} signed out of this organization immediately. Past actions
          stay in the audit trail. Coming back requires a new invitation.
        </Confirm>
      )}
      {doing?.act === "custody" && (
        <CustodianDialog member={doing.to} onLeave={() => remove(doing.to, "leave")} onDone={onDone} onClose={close} />
      )}
    </>
  );
}

const isCustodian = (error: unknown): boolean => error instanceof ApiError && error.details[0]?.code === "custodian_of_copies";

const columns: readonly Column<Member>[] = [
  {
    head: "Name",
    cell: (member) => (
      <>
        {member.name} {isMe(member) && <Chip>You</Chip>}
      </>
    ),
  },
  { head: "E-mail", cell: ({ email }) => email },
  { head: "Role", cell: ({ role }) => roleNames[role] },
  { head: "Since", cell: ({ joined_at }) => <When at={joined_at} /> },
];

const actionsColumn = (begin: (doing: Doing) => void): Column<Member> => ({
  head: "Actions",
  end: true,
  cell: (member) => (
    <span class="row-acts">
      <button type="button" class="button" aria-label={`Change role of ${member.name}`} onClick={() => begin({ act: "role", to: member })}>
        Change role
      </button>
      <button
        type="button"
        class="button danger"
        aria-label={isMe(member) ? "Leave this organization" : `Remove ${member.name}`}
        onClick={() => begin({ act: "remove", to: member })}
      >
        {isMe(member) ? "Leave" : "Remove"}
      </button>
    </span>
  ),
});
