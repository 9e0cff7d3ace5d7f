import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import type { Page } from "../../operation.ts";
import { call } from "../api.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { lazy } from "../parts/lazy.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { clearSession, may, me } from "../session.ts";
import type { Loadable } from "../use-load.ts";
import { en } from "../words/members/en.ts";
import { roleNames } from "./api.ts";
import { CustodianDialog } from "./custodian-dialog.tsx";
import { RoleDialog } from "./role.tsx";

const words = en.people;

const MemberSecurity = lazy(async () => (await import("./member-security.tsx")).MemberSecurity);

type Doing = { readonly act: "role" | "remove" | "custody" | "sessions"; readonly to: Member };

interface PeopleProps {
  readonly loaded: Loadable<Page<Member>>;
  /** called with a message about the result */
  readonly onDone: (text: string) => Promise<unknown>;
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
    else await onDone(words.removed(member.name));
  };
  return (
    <>
      <PagedTable
        caption={words.caption}
        loaded={loaded}
        columns={may("members:manage") ? [...columns, factorColumn] : columns}
        keyOf={({ user_id }) => user_id}
        {...(may("members:manage") && { menu: (member: Member) => <MemberMenu member={member} begin={setDoing} /> })}
        empty={null}
      />
      {doing?.act === "role" && <RoleDialog member={doing.to} isMe={isMe(doing.to)} onDone={onDone} onClose={close} />}
      {doing?.act === "sessions" && <MemberSecurity member={doing.to} onClose={close} />}
      {doing?.act === "remove" && (
        <Confirm
          title={isMe(doing.to) ? words.leaveTitle : words.removeTitle(doing.to.name)}
          button={isMe(doing.to) ? words.leave : words.remove}
          kind="danger"
          onConfirm={() => remove(doing.to)}
          onClose={closeRemoval}
        >
          {isMe(doing.to) ? words.leaveText : words.removeText(doing.to.name, doing.to.email)}
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
    head: words.name,
    cell: (member) => (
      <span class="member-name">
        <Avatar name={member.name} />
        <span>
          {member.name} {isMe(member) && <Chip>{words.you}</Chip>}
        </span>
      </span>
    ),
  },
  { head: en.email, cell: ({ email }) => email },
  { head: en.role, cell: ({ role }) => <span class="unbroken">{roleNames[role]}</span> },
  { head: words.since, cell: ({ joined_at }) => <When at={joined_at} /> },
];

const factorColumn: Column<Member> = {
  head: words.factor,
  cell: ({ second_factor }) => (second_factor === true ? words.hasFactor : words.noFactor),
};

interface MemberMenuProps {
  readonly member: Member;
  readonly begin: (doing: Doing) => void;
}

function MemberMenu({ member, begin }: MemberMenuProps) {
  const items: readonly MenuItem[] = [
    { words: words.sessions, icon: "shield", onPress: () => begin({ act: "sessions", to: member }) },
    { words: words.changeRole, icon: "pencil", onPress: () => begin({ act: "role", to: member }) },
    { words: isMe(member) ? words.leave : words.remove, icon: "cross", danger: true, onPress: () => begin({ act: "remove", to: member }) },
  ];
  return <RowMenu label={words.actionsFor(member.name)} items={items} />;
}
