import { call } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { en as pageWords } from "../words/envelope/en.ts";
import { en as words } from "../words/recipients/en.ts";
import { emptyFields, shortened } from "./empty-fields.ts";
import type { RecipientDialogProps } from "./recipient-actions.ts";

/** Asks before a recipient is removed, and names the fields that then stay empty. */
export function RemoveDialog({ envelope_id, recipient, onDone, onClose }: RecipientDialogProps) {
  const { name, role, recipient_id } = recipient;
  const { data, error } = useLoad(recipient_id, async () => (await call("get_envelope_fields", { params: { envelope_id } })).fields);
  const empty = data === null || role === null ? [] : emptyFields(data, (one) => one === role);
  return (
    <Confirm
      title={words.removeTitle(name)}
      button={words.remove}
      kind="danger"
      onConfirm={async () => {
        await call("remove_recipient", { params: { envelope_id, recipient_id } });
        await onDone(`${words.removed(name)}.`);
      }}
      onClose={onClose}
    >
      <p>{words.removeText(name)}</p>
      {empty.length > 0 && <p>{pageWords.willStayEmpty(...shortened(empty))}</p>}
      <ErrorNotice error={error} />
    </Confirm>
  );
}
