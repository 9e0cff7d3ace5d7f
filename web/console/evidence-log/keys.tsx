import type { InstanceKey, InstanceKeyPurpose, Transparency } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { day, utc } from "../parts/when.tsx";
import { WithCopy } from "./log-state.tsx";

/** The keys of the installation by generation, and the fingerprint of the root, which readers of evidence compare. */
export function Keys({ log: { root_sha256, keys } }: { log: Transparency }) {
  if (root_sha256 === null) {
    return (
      <Card title="Keys of this installation">
        <p class="quiet">No keys yet. They are created with the first checkpoint or the first seal.</p>
      </Card>
    );
  }
  return (
    <Card title="Keys of this installation">
      <div class="root-fingerprint stack tight">
        <h3>Fingerprint of the root (SHA-256)</h3>
        <WithCopy text={root_sha256} what="the fingerprint of the root" />
        <p class="quiet small">
          This root signs the list of the installation's keys that every evidence bundle contains. The verifier prints the root of a bundle.
          It must be this one, or for an older bundle one of the earlier roots below. Publish this value at a place that does not depend on
          this installation.
        </p>
      </div>
      <Table
        caption="Keys of this installation, by purpose, newest generation first"
        columns={columns}
        rows={keys}
        keyOf={({ purpose, generation }) => `${purpose} ${generation}`}
      />
      <p class="quiet small">
        What a replaced key signed stays valid. The signed list of all keys is{" "}
        <a href="/.well-known/countersign-trust.json" target="_blank" rel="noopener">
          countersign-trust.json
        </a>
        ; the operator sees it with <code>countersign instance-keys list</code>.
      </p>
    </Card>
  );
}

const purposes: Record<InstanceKeyPurpose, readonly [name: string, task: string]> = {
  root: ["Root", "Issues seal certificates"],
  records: ["Records", "Signs checkpoints, bundles and receipts"],
  log: ["Log", "Signs the notes of the log"],
  vault: ["Vault", "Others encrypt for this vault with it"],
};

// Enough to compare by eye; the signed list has the full value.
const SHOWN_ID_LENGTH = 12;

const columns: readonly Column<InstanceKey>[] = [
  {
    head: "Purpose",
    cell: ({ purpose }) => (
      <>
        {purposes[purpose][0]}
        <span class="beside quiet small">{purposes[purpose][1]}</span>
      </>
    ),
  },
  { head: "Generation", cell: ({ generation }) => generation },
  { head: "State", cell: (key) => <State of={key} /> },
  { head: "From", cell: ({ not_before }) => <Day at={not_before} /> },
  { head: "Until", cell: (key) => <Until of={key} /> },
  {
    head: "Fingerprint",
    cell: ({ certificate_sha256, key_id, algorithm }) => (
      <>
        <span class="mono key-start" title={certificate_sha256 ?? key_id}>
          {(certificate_sha256 ?? key_id).slice(0, SHOWN_ID_LENGTH)}…
        </span>
        <span class="beside quiet small">{algorithm}</span>
      </>
    ),
  },
];

function State({ of: { revoked_at, not_after, reason } }: { of: InstanceKey }) {
  if (revoked_at !== null) return <Chip tone="bad">Revoked</Chip>;
  if (not_after === null) return <Chip tone="good">In use</Chip>;
  if (reason === "key_lost") return <Chip tone="caution">Lost</Chip>;
  return new Date(not_after).getTime() > Date.now() ? <Chip tone="waiting">Being replaced</Chip> : <Chip>Replaced</Chip>;
}

function Until({ of: { not_after, revoked_at, invalid_from, certificate_expires_at } }: { of: InstanceKey }): ComponentChildren {
  return (
    <>
      {not_after === null ? <span class="quiet">No end set</span> : <Day at={not_after} />}
      {not_after === null && certificate_expires_at !== null && (
        <span class="beside quiet small">certificate expires {day(certificate_expires_at)}</span>
      )}
      {revoked_at !== null && <span class="beside small">revoked {day(revoked_at)}</span>}
      {invalid_from !== null && <span class="beside small">not valid from {utc(invalid_from)}</span>}
    </>
  );
}

function Day({ at }: { at: string }) {
  return (
    <time class="date" dateTime={at} title={utc(at)}>
      {day(at)}
    </time>
  );
}
