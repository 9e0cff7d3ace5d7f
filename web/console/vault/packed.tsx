import type { VaultExport } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { canHash, sha256Of } from "../../hash.ts";
import { saveFile } from "../../save-file.ts";
import { call, file } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { fromNow, utc } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/vault/en.ts";
import { Acknowledge } from "./acknowledge.tsx";
import type { RecordProps } from "./record-props.ts";
import { sizeWords } from "./words.tsx";

const w = en.packed;

/** Between the two steps of an export: the package can be downloaded, confirmed as received, or withdrawn. */
export function Packed(it: RecordProps & { open: VaultExport }) {
  const { open, done } = it;
  const { export_id, recipient, reason, package_size, package_sha256, expires_at } = open;
  const fetching = useSending();
  const [found, setFound] = useState("");
  const [isWithdrawing, setWithdrawing] = useState(false);
  const download = async () => {
    const { blob, name } = await file("get_vault_export_package", { params: { export_id } });
    saveFile(blob, name ?? `${export_id}.csvx`);
    if (canHash) setFound(await sha256Of(blob));
  };
  const withdraw = async () => {
    await call("cancel_vault_export", { params: { export_id } });
    await done(w.exportWithdrawnThe);
  };
  return (
    <Card
      title={w.packedFor(recipient.name)}
      actions={
        <>
          <ActionButton sending={fetching} busyLabel={w.downloading} onAction={download}>
            {w.downloadPackage}
          </ActionButton>
          <button type="button" class="button" onClick={() => setWithdrawing(true)}>
            {w.withdrawExport}
          </button>
        </>
      }
    >
      <Facts
        facts={[
          [w.recipient, `${recipient.name}, ${recipient.email}`],
          [w.reason, reason],
          [w.package, sizeWords(package_size)],
          [
            "SHA-256",
            <code key="hash" class="mono">
              {package_sha256}
            </code>,
          ],
          [
            w.expires,
            <span key="until" title={utc(expires_at)}>
              {w.theExportThen(fromNow(expires_at))}
            </span>,
          ],
        ]}
      />
      <ErrorNotice error={fetching.error} />
      <Acknowledge {...it} found={found} />
      {isWithdrawing && (
        <Confirm title={w.withdrawExportQuestion} button={w.withdrawExport} onConfirm={withdraw} onClose={() => setWithdrawing(false)}>
          <p>{w.theOriginalStays}</p>
        </Confirm>
      )}
    </Card>
  );
}
