import type { Member, Session } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { browserName } from "../account/browser-name.ts";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Chip } from "../parts/chip.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/member-security/en.ts";

// As many as a person can have.
const LIMIT = 20;

interface MemberSecurityProps {
  readonly member: Member;
  readonly onClose: () => void;
}

/** The open sessions of a member, and help for one who lost their second factors. */
export function MemberSecurity({ member, onClose }: MemberSecurityProps) {
  const { user_id, name } = member;
  const sending = useSending();
  const loaded = useLoad(`sessions of ${user_id}`, () => list("list_member_sessions", { params: { user_id }, query: { limit: LIMIT } }));
  const sessions = loaded.data?.data ?? [];
  const done = async (count: number) => {
    showToast(words.ended(count));
    await loaded.reload();
  };
  const end = async ({ session_id }: Session) => {
    await call("end_member_session", { params: { user_id, session_id } });
    await done(1);
  };
  const endAll = async () => done((await call("end_member_sessions", { params: { user_id } })).ended);
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <p>{words.lead}</p>
      <Pending of={loaded} />
      <ErrorNotice error={sending.error} />
      {loaded.data !== null && sessions.length === 0 && <p class="quiet">{words.none}</p>}
      {sessions.length > 0 && <OpenSessions sessions={sessions} onEnd={(session) => void sending.run(() => end(session))} />}
      {member.second_factor === true && <LostFactor member={member} />}
      <div class="buttons end">
        {sessions.length > 0 && (
          <button type="button" class="button danger" disabled={sending.isBusy} onClick={() => void sending.run(endAll)}>
            {words.endAll}
          </button>
        )}
        <button type="button" class="button" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Dialog>
  );
}

function OpenSessions({ sessions, onEnd }: { sessions: readonly Session[]; onEnd: (session: Session) => void }) {
  return (
    <div class="table-box">
      <table class="table">
        <caption class="hidden-visually">{words.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.browser}</th>
            <th scope="col">{words.ip}</th>
            <th scope="col">{words.used}</th>
            <th scope="col">{words.actions}</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.session_id}>
              <th scope="row">
                {browserName(session.user_agent)} {session.current && <Chip tone="good">{words.this}</Chip>}
              </th>
              <td data-head={words.ip}>{session.ip}</td>
              <td data-head={words.used}>
                <When at={session.last_used_at} />
              </td>
              <td data-head={words.actions}>
                <button
                  type="button"
                  class="button"
                  aria-label={words.endLabel(browserName(session.user_agent), session.ip)}
                  onClick={() => onEnd(session)}
                >
                  {words.end}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LostFactor({ member: { user_id, email } }: { member: Member }) {
  const sending = useSending();
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const send = async () => {
    await call("reset_member_factors", { params: { user_id }, body: { reason } });
    setSent(true);
  };
  return (
    <section class="stack">
      <h2>{words.factors}</h2>
      {isSent ? (
        <p role="status">{words.sent(email)}</p>
      ) : (
        <Form sending={sending} onSend={send}>
          <p>{words.factorsLead}</p>
          <TextField
            label={words.reason}
            hint={words.reasonHint}
            name="reason"
            required
            maxLength={500}
            value={reason}
            onText={setReason}
            sending={sending}
          />
          <div class="buttons">
            <SubmitButton sending={sending}>{words.send}</SubmitButton>
          </div>
        </Form>
      )}
    </section>
  );
}
