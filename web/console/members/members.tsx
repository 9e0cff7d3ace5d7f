import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { pageOf } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as security } from "../words/member-security/en.ts";
import { en as words } from "../words/members/en.ts";
import { allRoles, roleWords } from "./api.ts";
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
  const [isEnding, setEnding] = useState(false);
  const invite = (
    <>
      <button type="button" class="button" onClick={() => setEnding(true)}>
        {security.everyone}
      </button>
      <button type="button" class="button primary" onClick={() => setInviting(true)}>
        {words.invite}
      </button>
    </>
  );
  const endAll = async () => showToast(security.ended((await call("end_all_sessions")).ended));
  const after = (text: string) => {
    showToast(text);
    setChanges((count) => count + 1);
    return people.reload();
  };
  return (
    <Screen title={words.title} lead={words.lead} {...(may("members:manage") && { actions: invite })}>
      <RequirePermission needs="members:manage" to={words.toChange}>
        {null}
      </RequirePermission>
      <People loaded={people} onDone={after} />
      <details class="roles">
        <summary>{words.whatRoles}</summary>
        <dl>
          {allRoles.map(([role, name]) => (
            <div key={role}>
              <dt>{name}</dt>
              <dd>{roleWords[role]}</dd>
            </div>
          ))}
        </dl>
      </details>
      {may("members:manage") && <Invitations changes={changes} onDone={after} />}
      {isEnding && (
        <Confirm
          title={security.everyoneTitle}
          button={security.everyone}
          kind="danger"
          onConfirm={endAll}
          onClose={() => setEnding(false)}
        >
          {security.everyoneText}
        </Confirm>
      )}
      {isInviting && <InviteDialog onDone={() => setChanges((count) => count + 1)} onClose={() => setInviting(false)} />}
    </Screen>
  );
}
