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
import type { RecordProps } from "./record-props.ts";

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
      <h3>Step 2 of 2: receipt</h3>
      <p>
        {recipient.email} got an e-mail with a link to download the package and to take the original over.{" "}
        {downloaded_at === null ? (
          "It has not been downloaded there yet."
        ) : (
          <>
            Downloaded there <When at={downloaded_at} />.
          </>
        )}
      </p>
      {isTheirs && <p class="quiet">Only the recipient can confirm receipt, because the control policy of this record is confirmed.</p>}
      {!isTheirs && isMine && <p class="quiet">You packed this original. Another person can confirm receipt for the recipient.</p>}
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
          label="SHA-256 of the received package"
          name="package_sha256"
          value={hash}
          onText={setHash}
          autoComplete="off"
          hint={found === "" ? "Filled in when you download the package here" : "Computed in this browser from the downloaded file"}
        />
        {canHash && <HashOfFile onHash={setHash} />}
        <div class="buttons">
          <SubmitButton sending={sending} kind="danger">
            Confirm receipt
          </SubmitButton>
        </div>
      </Form>
      {isAsking && key === null && (
        <Confirm
          title="Complete export?"
          button="Complete export"
          kind="danger"
          typed={recipient.name}
          onConfirm={acknowledge}
          onClose={() => setAsking(false)}
        >
          <p>
            {recipient.name} then holds the original, custody here ends, and this vault keeps a copy. This cannot be undone. The document
            can only return as a new envelope.
          </p>
        </Confirm>
      )}
      {key !== null && (
        <KeyOnce
          name={recipient.name}
          secret={key}
          onClose={() => void done(`Export completed. ${recipient.name} now holds the original. The signed receipt was saved as a file.`)}
        />
      )}
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
  return (
    <SecretOnce
      title="Package key"
      lead={`${name} needs this key to open the package, and can also get it with the link in the e-mail. Send it separately from the package. It can be shown again here for 24 hours.`}
      secret={secret}
      what="the key"
      onClose={onClose}
    />
  );
}

/** For a package that was received elsewhere and is available as a file. */
function HashOfFile({ onHash }: { onHash: (hash: string) => void }) {
  return (
    <Field label="Or choose the package file" optional hint="Hashed on this computer, not uploaded">
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
