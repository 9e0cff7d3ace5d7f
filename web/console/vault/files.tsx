import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Copy } from "../parts/copy.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { saveFrom } from "../parts/save.ts";
import { useSending } from "../sending.ts";
import type { RecordProps } from "./record-props.ts";

/** The downloads. Each is logged before its first byte is delivered. */
export function Files({ envelope_id, copy }: RecordProps) {
  const sending = useSending();
  const given = { params: { envelope_id } };
  const asFile = { ...given, query: { format: "file" } } as const;
  const isSound = copy.state !== "tampered" && copy.state !== "destroyed";
  const verify = "countersign-verify bundle.zip --root <SHA-256 of the root certificate>";
  return (
    <Card title="Files">
      <ul class="files">
        <li>
          <div>
            <strong>Certificate</strong>
            <p class="quiet small">The result of the latest evaluation, as a sealed PDF or as JSON.</p>
          </div>
          <div class="buttons">
            <Save
              sending={sending}
              what="the certificate as PDF"
              onSave={() => saveFrom("get_compliance_certificate", `${envelope_id}.pdf`, given)}
            >
              PDF
            </Save>
            <Save
              sending={sending}
              what="the certificate as JSON"
              onSave={() => saveFrom("get_compliance_certificate", `${envelope_id}.json`, asFile)}
            >
              JSON
            </Save>
          </div>
        </li>
        {isSound && (
          <li>
            <div>
              <strong>Copy</strong>
              <p class="quiet small">The document, marked COPY on every page. The original only leaves through an export.</p>
            </div>
            <Save sending={sending} what="a copy as PDF" onSave={() => saveFrom("get_vault_copy", `${envelope_id}-copy.pdf`, given)}>
              PDF
            </Save>
          </li>
        )}
        {isSound && (
          <li>
            <div>
              <strong>Evidence bundle</strong>
              <p class="quiet small">
                A marked copy, the certificate, the complete audit trail and all proofs. Verify it without this service:
              </p>
              <p class="with-copy">
                <code class="small">{verify}</code> <Copy text={verify} what="the command" />
              </p>
              <p class="quiet small">The SHA-256 of the root certificate is printed on every certificate.</p>
            </div>
            <Save
              sending={sending}
              what="the evidence bundle as ZIP"
              onSave={() => saveFrom("get_evidence_bundle", `${envelope_id}-evidence.zip`, given)}
            >
              ZIP
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
    <ActionButton sending={sending} label={`Download ${what}`} onAction={onSave} busyLabel={children}>
      {children}
    </ActionButton>
  );
}
