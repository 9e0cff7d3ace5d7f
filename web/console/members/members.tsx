import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { pageOf } from "../parts/table.tsx";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { roleChoices, roleWords } from "./api.ts";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite.tsx";
import { People } from "./people.tsx";

const LIMIT = 20;

/** The members of the organization and the pending invitations. */
export function Members() {
  const wanted = { page: pageOf(), limit: LIMIT };
  const people = useLoad(`members ${wanted.page}`, () => list("list_members", { query: wanted }));
  // Each change reloads the invitations.
  const [changes, setChanges] = useState(0);
  const [isInviting, setInviting] = useState(false);
  const [message, setMessage] = useState("");
  const invite = (
    <button type="button" class="button primary" onClick={() => setInviting(true)}>
      Invite member
    </button>
  );
  const after = (words: string) => {
    setMessage(words);
    setChanges((count) => count + 1);
    return people.reload();
  };
  return (
    <Screen title="Members" lead="The members of your organization and their roles." {...(hasRole("admin") && { actions: invite })}>
      <RequireRole least="admin" to="invite members, change roles or remove members">
        {null}
      </RequireRole>
      <StatusNotice>{message}</StatusNotice>
      <People loaded={people} onDone={after} />
      <details class="roles">
        <summary>What each role can do</summary>
        <dl>
          {roleChoices.map(([role, name]) => (
            <div key={role}>
              <dt>{name}</dt>
              <dd>{roleWords[role]}</dd>
            </div>
          ))}
        </dl>
      </details>
      {hasRole("admin") && <Invitations changes={changes} onDone={after} />}
      {isInviting && <InviteDialog onDone={() => setChanges((count) => count + 1)} onClose={() => setInviting(false)} />}
    </Screen>
  );
}
