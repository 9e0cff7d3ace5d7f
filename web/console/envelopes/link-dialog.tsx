import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { get } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Act } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useSending } from "../sending.ts";
import { pathOf } from "./api.ts";
import type { SignerDialogProps } from "./signer-acts.ts";

interface Links {
  readonly signers: readonly { readonly slug: string; readonly embed_url: string }[];
}

/** A link that opens the document in a signer's name: made only when it is asked for, because its making is recorded. */
export function LinkDialog({ envelope_id, signer, onClose }: SignerDialogProps) {
  const sending = useSending();
  const [link, setLink] = useState<string | null>(null);
  const path = pathOf(envelope_id, "/signing-links");
  const make = async () => {
    const { signers } = await get<Links>(path);
    setLink(signers.find(({ slug }) => slug === signer.slug)?.embed_url ?? null);
  };
  return (
    <Dialog title={`A link for ${signer.name}`} onClose={onClose}>
      <p>
        Whoever opens it signs as {signer.name}. It lives 15 minutes. Making it makes new links for the other signers too, and the timeline
        records that.
      </p>
      {link === null ? (
        <div class="buttons">
          <Act sending={sending} onAct={make} kind="primary">
            Make a link
          </Act>
        </div>
      ) : (
        <>
          <div class="secret">
            <code>{link}</code>
            <Copy text={link} what="the signing link" />
          </div>
          <p>
            <a href={link} target="_blank" rel="noopener noreferrer">
              Open it in a new tab
            </a>
            , to try it out here.
          </p>
        </>
      )}
      <Trouble of={sending.error} />
      <ApiCall path={path} />
    </Dialog>
  );
}
