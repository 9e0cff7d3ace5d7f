import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { call, listAll, listEvery } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";

interface CustodianDialogProps {
  readonly member: Member;
  /** removes the member although they are a custodian */
  readonly onLeave: () => Promise<unknown>;
  readonly onDone: (words: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** For a member who is the custodian of authoritative copies: another member should take custody before they are removed. */
export function CustodianDialog({ member, onLeave, onDone, onClose }: CustodianDialogProps) {
  const requesting = useSending();
  const leaving = useSending();
  const [to, setTo] = useState("");
  const [isMissing, setMissing] = useState(false);
  const [asked, setAsked] = useState(0);
  const people = useLoad("new custodians", () => listAll("list_members"));
  const copies = useLoad(`copies of ${member.user_id}`, () => copiesOf(member.user_id));
  const others = (people.data ?? []).filter(({ user_id, role }) => user_id !== member.user_id && role !== "viewer");
  const request = async () => {
    setMissing(to === "");
    if (to === "") return;
    setAsked(0);
    for (const { envelope_id } of copies.data ?? []) {
      await ask(envelope_id, to);
      setAsked((count) => count + 1);
    }
    const name = others.find(({ user_id }) => user_id === to)?.name ?? "";
    await onDone(`${name} has been asked to take custody. Remove ${member.name} once the transfers are accepted.`);
    onClose();
  };
  const leave = async () => {
    await onLeave();
    onClose();
  };
  const total = copies.data?.length ?? 0;
  return (
    <Dialog title={`${member.name} is still a custodian`} onClose={onClose}>
      <Form sending={requesting} onSend={request}>
        <p>
          {copies.data === null ? "…" : `${total} ${total === 1 ? "copy needs" : "copies need"}`} another custodian before {member.name} is
          removed. The new custodian must accept each transfer.
        </p>
        <ErrorNotice error={copies.error ?? people.error} onRetry={copies.reload} />
        <SelectField
          label="New custodian"
          name="to_user_id"
          value={to}
          choices={[["", "Choose a member"], ...others.map(({ user_id, name, email }) => [user_id, `${name} (${email})`] as const)]}
          onChoice={(chosen) => {
            setTo(chosen);
            setMissing(false);
          }}
          sending={requesting}
        />
        {isMissing && (
          <p class="error" role="alert">
            Choose a member.
          </p>
        )}
        {asked > 0 && (
          <p role="status">
            {asked} of {total} requested
          </p>
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton sending={requesting}>Request transfers</SubmitButton>
        </div>
      </Form>
      <p class="quiet small">
        You can also remove {member.name} now. Check 3 then fails for these copies, because their custodian is not a member, until custody
        is transferred.
      </p>
      <ErrorNotice error={leaving.error} />
      <ActionButton sending={leaving} kind="danger" onAction={leave} busyLabel="Removing…">
        Remove anyway
      </ActionButton>
    </Dialog>
  );
}

/** Copies that are being exported or are damaged cannot be transferred, so they are left out. */
const copiesOf = (custodian_user_id: string) => listEvery("list_vault", { query: { custodian_user_id, state: "active" } });

/** Copies that already have a pending transfer are skipped, so that the requests can be repeated after a failure. */
async function ask(envelope_id: string, to_user_id: string): Promise<void> {
  try {
    await call("initiate_custody_transfer", { params: { envelope_id }, body: { to_user_id } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
  }
}
