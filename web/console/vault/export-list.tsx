import type { VaultExport, VaultExportStatus } from "@countersign/client/types";
import { useState } from "preact/hooks";
import type { Page } from "../../operation.ts";
import { ActionButton } from "../parts/button.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { DAY_MS } from "../parts/durations.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { serverNow } from "../server-now.ts";
import type { Loadable } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import { acknowledgeExport, canAcknowledge, KeyOnce, saveReceipt } from "./acknowledge.tsx";
import type { RecordProps } from "./record-props.ts";

const w = en.exportList;

const states: Record<VaultExportStatus, readonly [Tone, string]> = {
  escrowed: ["waiting", w.packed],
  acknowledged: ["good", w.completed],
  cancelled: ["plain", w.withdrawn],
  expired: ["plain", w.expired],
};

// After that only the recipient gets the key.
const KEY_KEPT_MS = DAY_MS;
const hasKey = ({ status, closed_at }: Pick<VaultExport, "status" | "closed_at">): boolean =>
  status === "acknowledged" && closed_at !== null && serverNow() - new Date(closed_at).getTime() < KEY_KEPT_MS;

export function ExportList({ loaded, copy }: Pick<RecordProps, "copy"> & { readonly loaded: Loadable<Page<VaultExport>> }) {
  const sending = useSending();
  const [shown, setShown] = useState<{ name: string; secret: string } | null>(null);
  const showKey = async ({ export_id, package_sha256, recipient }: Pick<VaultExport, "export_id" | "package_sha256" | "recipient">) => {
    const { key } = await acknowledgeExport(export_id, package_sha256);
    setShown({ name: recipient.name, secret: key });
  };
  const columns: readonly Column<VaultExport>[] = [
    { head: w.recipient, cell: ({ recipient }) => recipient.name },
    { head: w.state, cell: ({ status }) => <Chip tone={states[status][0]}>{states[status][1]}</Chip> },
    { head: w.reason, cell: ({ reason }) => reason },
    { head: w.packed, cell: ({ created_at }) => <When at={created_at} /> },
    { head: w.closed, cell: ({ closed_at }) => <When at={closed_at} otherwise={w.notYet} /> },
    {
      head: w.files,
      cell: ({ receipt, ...one }) => (
        <div class="buttons">
          {receipt !== null && (
            <button type="button" class="button" onClick={() => saveReceipt(one.export_id, receipt)}>
              {w.receipt}
            </button>
          )}
          {hasKey(one) && canAcknowledge(one, copy) && (
            <ActionButton sending={sending} onAction={() => showKey(one)}>
              {w.showKey}
            </ActionButton>
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={w.exportsOfThis}
        columns={columns}
        keyOf={({ export_id }) => export_id}
        pageName="exports"
        empty={<p class="quiet">{w.noExportsThe}</p>}
      />
      <ErrorNotice error={sending.error} />
      {shown !== null && <KeyOnce {...shown} onClose={() => setShown(null)} />}
    </>
  );
}
