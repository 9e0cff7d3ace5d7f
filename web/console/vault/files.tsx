import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { saveFrom } from "../parts/save.ts";
import { useSending } from "../sending.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.files;

/** The downloads. Each is logged before its first byte is delivered. */
export function Files({ envelope_id, copy }: RecordProps) {
  const sending = useSending();
  const given = { params: { envelope_id } };
  const asFile = { ...given, query: { format: "file" } } as const;
  const isSound = copy.state !== "tampered" && copy.state !== "destroyed";
  const verify = "countersign-verify bundle.zip --root <SHA-256 of the root certificate>";
  return (
    <Card title={w.files}>
      <ul class="files">
        <li>
          <div>
            <strong>{w.certificate}</strong>
            <p class="quiet small">{w.theResultOf}</p>
          </div>
          <div class="buttons">
            <Save
              sending={sending}
              what={w.theCertificateAs}
              onSave={() => saveFrom("get_compliance_certificate", `${envelope_id}.pdf`, given)}
            >
              {w.pdf}
            </Save>
            <Save
              sending={sending}
              what={w.theCertificateAsJson}
              onSave={() => saveFrom("get_compliance_certificate", `${envelope_id}.json`, asFile)}
            >
              {w.json}
            </Save>
          </div>
        </li>
        {isSound && (
          <li>
            <div>
              <strong>{w.copy}</strong>
              <p class="quiet small">{w.theDocumentMarked}</p>
            </div>
            <Save sending={sending} what={w.aCopyAs} onSave={() => saveFrom("get_vault_copy", `${envelope_id}-copy.pdf`, given)}>
              {w.pdf}
            </Save>
          </li>
        )}
        {isSound && (
          <li>
            <div>
              <strong>{w.evidenceBundle}</strong>
              <p class="quiet small">{w.aMarkedCopy}</p>
              <p class="with-copy">
                <code class="small">{verify}</code> <Copy text={verify} what={w.theCommand} />
              </p>
              <p class="quiet small">{w.theSha256}</p>
            </div>
            <Save
              sending={sending}
              what={w.theEvidenceBundle}
              onSave={() => saveFrom("get_evidence_bundle", `${envelope_id}-evidence.zip`, given)}
            >
              {w.zip}
            </Save>
          </li>
        )}
      </ul>
      <ErrorNotice error={sending.error} />
    </Card>
  );
}

interface SaveProps {
  readonly sending: ReturnType<typeof useSending>;
  readonly what: string;
  readonly onSave: () => Promise<void>;
  readonly children: string;
}

function Save({ sending, what, onSave, children }: SaveProps) {
  return (
    <ActionButton sending={sending} label={w.download(what)} onAction={onSave} busyLabel={children}>
      {children}
    </ActionButton>
  );
}
