import type { Member } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { call, listAll, listEvery } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/members/en.ts";

const words = en.custody;

interface CustodianDialogProps {
  readonly member: Member;
  /** removes the member although they are a custodian */
  readonly onLeave: () => Promise<unknown>;
  readonly onDone: (text: string) => Promise<unknown>;
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
    await onDone(words.asked(name, member.name));
    onClose();
  };
  const leave = async () => {
    await onLeave();
    onClose();
  };
  const total = copies.data?.length ?? 0;
  return (
    <Dialog title={words.title(member.name)} onClose={onClose}>
      <Form sending={requesting} onSend={request}>
        <p>{copies.data === null ? words.loading : words.need(total, member.name)}</p>
        <ErrorNotice error={copies.error} onRetry={copies.reload} />
        <ErrorNotice error={people.error} onRetry={people.reload} />
        <SelectField
          label={words.to}
          name="to_user_id"
          value={to}
          choices={[["", words.choose], ...others.map(({ user_id, name, email }) => [user_id, words.person(name, email)] as const)]}
          onChoice={(chosen) => {
            setTo(chosen);
            setMissing(false);
          }}
          sending={requesting}
        />
        {isMissing && (
          <p class="error" role="alert">
            {words.missing}
          </p>
        )}
        {asked > 0 && <p role="status">{words.progress(asked, total)}</p>}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={requesting}>{words.request}</SubmitButton>
        </div>
      </Form>
      <p class="quiet small">{words.anywayText(member.name)}</p>
      <ErrorNotice error={leaving.error} />
      <ActionButton sending={leaving} kind="danger" onAction={leave} busyLabel={words.removing}>
        {words.anyway}
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
