import type { VaultExport, VaultExportAcknowledged, VaultExportReceipt } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { canHash, sha256Of } from "../../hash.ts";
import { saveFile } from "../../save-file.ts";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.acknowledge;

interface AcknowledgeProps extends RecordProps {
  readonly open: VaultExport;
  /** SHA-256 of the package that was just downloaded, or empty */
  readonly found: string;
}

/**
 * Step 2 of an export: the recipient confirms receipt of the package with the link in the e-mail, and the original has left the vault. A
 * colleague of the person who packed it can do it for them, unless the policy asks for the recipient.
 */
export function Acknowledge(it: AcknowledgeProps) {
  const { open, copy } = it;
  const { recipient, downloaded_at } = open;
  const isTheirs = isForRecipient(copy);
  const isMine = isStartedByMe(open);
  return (
    <>
      <h3>{w.step2Of}</h3>
      <p>
        {w.gotAnE(recipient.email)}
        {downloaded_at === null ? (
          w.itHasNot
        ) : (
          <>
            {w.downloadedThere}
            <When at={downloaded_at} />.
          </>
        )}
      </p>
      {isTheirs && <p class="quiet">{w.onlyTheRecipient}</p>}
      {!isTheirs && isMine && <p class="quiet">{w.youPackedThis}</p>}
      {!isTheirs && !isMine && <ForRecipient {...it} />}
    </>
  );
}

function ForRecipient({ open, found, done }: AcknowledgeProps) {
  const sending = useSending();
  const [hash, setHash] = useState(found);
  const [isAsking, setAsking] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  useWhenChanged(found, setHash);
  const { recipient } = open;
  const acknowledge = async () => {
    const answer = await acknowledgeExport(open.export_id, hash.trim());
    saveReceipt(open.export_id, answer.receipt);
    setKey(answer.key);
  };
  return (
    <>
      <Form sending={sending} onSend={async () => setAsking(true)}>
        <TextField
          label={w.sha256Of}
          name="package_sha256"
          required
          value={hash}
          onText={setHash}
          autoComplete="off"
          hint={found === "" ? w.filledInWhen : w.computedInThis}
        />
        {canHash && <HashOfFile onHash={setHash} />}
        <div class="buttons">
          <SubmitButton sending={sending} kind="danger">
            {w.confirmReceipt}
          </SubmitButton>
        </div>
      </Form>
      {isAsking && key === null && (
        <Confirm
          title={w.completeExport}
          button={w.completeExportWord}
          kind="danger"
          typed={recipient.name}
          onConfirm={acknowledge}
          onClose={() => setAsking(false)}
        >
          <p>{w.thenHoldsThe(recipient.name)}</p>
        </Confirm>
      )}
      {key !== null && <KeyOnce name={recipient.name} secret={key} onClose={() => void done(w.exportCompletedNow(recipient.name))} />}
    </>
  );
}

const isStartedByMe = ({ initiated_by }: Pick<VaultExport, "initiated_by">): boolean =>
  initiated_by.kind === "user" && initiated_by.id === me().user.user_id;

const isForRecipient = ({ control }: RecordProps["copy"]): boolean => control.policy === "confirmed";

/** Whether the person here may confirm receipt for the recipient, and then see the key. */
export const canAcknowledge = (one: Pick<VaultExport, "initiated_by">, copy: RecordProps["copy"]): boolean =>
  !isForRecipient(copy) && !isStartedByMe(one);

/** Repeating the call returns the same answer for 24 hours. */
export const acknowledgeExport = (export_id: string, package_sha256: string): Promise<VaultExportAcknowledged> =>
  call("acknowledge_vault_export", { params: { export_id }, body: { package_sha256 } });

export function saveReceipt(export_id: string, receipt: VaultExportReceipt): void {
  const json = JSON.stringify(receipt, null, 2);
  saveFile(new Blob([json], { type: "application/json" }), `${export_id}-receipt.json`);
}

interface KeyOnceProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export function KeyOnce({ name, secret, onClose }: KeyOnceProps) {
  return <SecretOnce title={w.packageKey} lead={w.needsThisKey(name)} secret={secret} what={w.theKey} onClose={onClose} />;
}

/** For a package that was received elsewhere and is available as a file. */
function HashOfFile({ onHash }: { onHash: (hash: string) => void }) {
  return (
    <Field label={w.orChooseThe} optional hint={w.hashedOnThis}>
      {(given) => (
        <input
          {...given}
          type="file"
          class="input"
          onChange={async (event) => {
            const chosen = event.currentTarget.files?.[0];
            if (chosen !== undefined) onHash(await sha256Of(chosen));
          }}
        />
      )}
    </Field>
  );
}
