import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/envelope-dialogs/en.ts";
import type { RecipientDialogProps } from "./recipient-actions.ts";

const words = en.link;

interface LinkDialogProps extends Omit<RecipientDialogProps, "recipient"> {
  readonly recipient: Pick<RecipientDialogProps["recipient"], "kind" | "name" | "slug">;
}

/** Creates a link that opens the document as this person, copies it, and says what it is. The audit trail records its creation. */
export function LinkDialog({ envelope_id, recipient, onClose }: LinkDialogProps) {
  const sending = useSending();
  const [link, setLink] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const given = { params: { envelope_id, slug: recipient.slug } };
  const create = async () => {
    const { url } = await call("create_signer_link", given);
    setLink(url);
    // If the browser refuses, the button beside the link copies it.
    setCopied(
      await navigator.clipboard.writeText(url).then(
        () => true,
        () => false,
      ),
    );
  };
  useEffect(() => void sending.run(create), []);
  return (
    <Dialog title={words.title(recipient.name)} onClose={onClose}>
      <p role="status">{link !== null && <strong>{isCopied ? words.copied : words.notCopied}</strong>}</p>
      {link !== null && (
        <div class="secret">
          <code>{link}</code>
          <Copy text={link} what={words.what} />
        </div>
      )}
      {sending.error !== null && (
        <div class="buttons">
          <ActionButton sending={sending} onAction={create}>
            {words.again}
          </ActionButton>
        </div>
      )}
      <ErrorNotice error={sending.error} />
      <p class="quiet">{recipient.kind === "cc" ? words.readerText(recipient.name) : words.text(recipient.name)}</p>
      {link !== null && (
        <p>
          <a href={link} target="_blank" rel="noopener noreferrer">
            {words.open}
          </a>
        </p>
      )}
      <ApiCall operation="create_signer_link" given={given} />
    </Dialog>
  );
}
