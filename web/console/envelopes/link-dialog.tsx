import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import type { RecipientDialogProps } from "./recipient-actions.ts";

interface LinkDialogProps extends Omit<RecipientDialogProps, "recipient"> {
  readonly recipient: Pick<RecipientDialogProps["recipient"], "name" | "slug">;
}

/** A link that opens the document as this person. It is created only on request, because its creation is recorded. */
export function LinkDialog({ envelope_id, recipient, onClose }: LinkDialogProps) {
  const sending = useSending();
  const [link, setLink] = useState<string | null>(null);
  const given = { params: { envelope_id, slug: recipient.slug } };
  const create = async () => setLink((await call("create_signer_link", given)).url);
  return (
    <Dialog title={`Link for ${recipient.name}`} onClose={onClose}>
      <p>
        Anyone with this link can act as {recipient.name} until the envelope expires. The link is shown once. The audit trail records that
        you created it, and the compliance certificate says that you handed it over.
      </p>
      {link === null ? (
        <div class="buttons">
          <ActionButton sending={sending} onAction={create} kind="primary">
            Create link
          </ActionButton>
        </div>
      ) : (
        <>
          <div class="secret">
            <code>{link}</code>
            <Copy text={link} what="the link" />
          </div>
          <p>
            <a href={link} target="_blank" rel="noopener noreferrer">
              Open in a new tab
            </a>{" "}
            to try it here.
          </p>
        </>
      )}
      <ErrorNotice error={sending.error} />
      <ApiCall operation="create_signer_link" given={given} />
    </Dialog>
  );
}
