import type { VaultExport, VaultExportAcknowledged, VaultExportReceipt } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { saveFile } from "../../ui/save-file.ts";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Field, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { useSending } from "../sending.ts";
import { useWhenChanged } from "../when-changed.ts";
import { canHash, sha256Of } from "./hash.ts";
import type { Recorded } from "./recorded.ts";

interface AcknowledgeProps extends Recorded {
  readonly open: VaultExport;
  /** of the package that was downloaded just now */
  readonly found: string;
}

/** The second act: whoever has the whole package says so, and the original has left. */
export function Acknowledge({ open, found, done }: AcknowledgeProps) {
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
      <h3>Act 2 of 2: acknowledge that it has arrived</h3>
      <Form sending={sending} onSend={async () => setAsking(true)}>
        <TextField
          label="SHA-256 of the package that arrived"
          name="package_sha256"
          value={hash}
          onText={setHash}
          autoComplete="off"
          hint={found === "" ? "Filled in when you download the package here" : "Computed in this browser from the bytes you downloaded"}
        />
        {canHash && <HashOfFile onHash={setHash} />}
        <div class="buttons">
          <SubmitButton sending={sending} kind="danger">
            Acknowledge the package
          </SubmitButton>
        </div>
      </Form>
      {isAsking && key === null && (
        <Confirm
          title="Let the original leave?"
          button="Let it leave"
          kind="danger"
          typed={recipient.name}
          onConfirm={acknowledge}
          onClose={() => setAsking(false)}
        >
          <p>
            With this, the original is with {recipient.name}, custody here ends, and what this vault keeps is a copy. This cannot be taken
            back: it can return only as a new envelope.
          </p>
        </Confirm>
      )}
      {key !== null && (
        <KeyOnce
          name={recipient.name}
          secret={key}
          onClose={() => void done(`The original has left for ${recipient.name}. The signed receipt was saved as a file.`)}
        />
      )}
    </>
  );
}

/** The same call gives the same answer for 24 hours. */
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
      title="The key of the package"
      lead={`Only with it can ${name} open the package. Send it another way than the package. For 24 hours it can be shown again here.`}
      secret={secret}
      what="the key"
      onClose={onClose}
    />
  );
}

/** For whoever had it sent on, and has the file back in hand. */
function HashOfFile({ onHash }: { onHash: (hash: string) => void }) {
  return (
    <Field label="Or the package file itself" optional hint="Hashed on this computer, and not uploaded">
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
