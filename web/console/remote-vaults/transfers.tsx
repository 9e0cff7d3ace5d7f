import type { VaultTransfer, VaultTransferDirection } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { fromNow, utc, When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/remote-vaults/en.ts";
import { AcceptTransferDialog, CancelTransferDialog, RefuseTransferDialog } from "./transfer-dialogs.tsx";
import { canAccept, canCancel, canRefuse, stateOf } from "./words.ts";

const w = en.transfers;

interface TransfersProps {
  readonly direction: VaultTransferDirection;
  readonly say: (words: string) => void;
}

const dialogs = { accept: AcceptTransferDialog, refuse: RefuseTransferDialog, cancel: CancelTransferDialog } as const;
type Action = keyof typeof dialogs;
interface Acting {
  readonly transfer: VaultTransfer;
  readonly action: Action;
}

/** Records offered to this organization, or by it, newest first. */
export function Transfers({ direction, say }: TransfersProps) {
  const wanted = { direction, page: pageOf(), limit: 20 };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_vault_transfers", { query: wanted }));
  const [acting, setActing] = useState<Acting | null>(null);
  const done = async (words: string) => {
    await loaded.reload();
    say(words);
  };
  const columns: readonly Column<VaultTransfer>[] = [
    { head: w.record, cell: nameCell },
    { head: direction === "in" ? w.from : w.to, cell: ({ vault_name }) => vault_name },
    { head: w.state, cell: (transfer) => <State transfer={transfer} /> },
    {
      head: w.offerEnds,
      cell: ({ expires_at, closed_at }) => (closed_at === null ? <span title={utc(expires_at)}>{fromNow(expires_at)}</span> : "–"),
    },
    { head: w.updated, cell: ({ updated_at }) => <When at={updated_at} />, minor: true },
    { head: w.actions, cell: (transfer) => <Actions transfer={transfer} onAct={(action) => setActing({ transfer, action })} /> },
  ];
  const Dialog = acting === null ? null : dialogs[acting.action];
  return (
    <>
      <PagedTable
        loaded={loaded}
        caption={direction === "in" ? w.recordsFromOther : w.recordsToOther}
        columns={columns}
        keyOf={({ transfer_id }) => transfer_id}
        empty={direction === "in" ? <NothingIn /> : <NothingOut />}
      />
      <ApiCall operation="list_vault_transfers" given={{ query: wanted }} />
      {acting !== null && Dialog !== null && (
        <Dialog transfer={acting.transfer} onDone={done} reload={loaded.reload} onClose={() => setActing(null)} />
      )}
    </>
  );
}

/** A record that is here has a page of its own; one that is only offered does not. */
const nameCell = ({ envelope_id, envelope_name }: VaultTransfer) =>
  envelope_id === null ? envelope_name : <Link to={`/vault/${envelope_id}`}>{envelope_name}</Link>;

function State({ transfer }: { readonly transfer: VaultTransfer }) {
  const [tone, words] = stateOf(transfer);
  const why = transfer.closed_at === null ? transfer.last_error : transfer.reason;
  return (
    <>
      <Chip tone={tone}>{words}</Chip>
      {why !== null && <div class="small quiet">{why}</div>}
    </>
  );
}

function Actions({ transfer, onAct }: { readonly transfer: VaultTransfer; readonly onAct: (action: Action) => void }) {
  const possible: readonly (readonly [boolean, Action, string])[] = [
    [canAccept(transfer), "accept", w.accept],
    [canRefuse(transfer), "refuse", w.refuse],
    [canCancel(transfer), "cancel", w.cancelTransfer],
  ];
  const offered = possible.filter(([isPossible]) => isPossible);
  if (offered.length === 0) return "–";
  return (
    <div class="buttons answer">
      {offered.map(([, action, words]) => (
        <button key={action} type="button" class={action === "accept" ? "button primary" : "button"} onClick={() => onAct(action)}>
          {words}
          <span class="hidden-visually"> {transfer.envelope_name}</span>
        </button>
      ))}
    </div>
  );
}

const NothingIn = () => (
  <Empty
    title={w.noTransfersIn}
    {...(may("settings:manage") && {
      action: (
        <Link to="/remote-vaults?tab=vaults" class="button">
          {w.openPinned}
        </Link>
      ),
    })}
  >
    {w.whenAnOrganization}
  </Empty>
);

const NothingOut = () => (
  <Empty
    title={w.noTransfersOut}
    action={
      <Link to="/vault" class="button">
        {w.openVault}
      </Link>
    }
  >
    {w.toOfferA}
  </Empty>
);
