import type { InstanceKey, InstanceKeyPurpose, Transparency } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { day, utc } from "../parts/when.tsx";
import { serverNow } from "../server-now.ts";
import { en } from "../words/evidence-log/en.ts";
import { WithCopy } from "./log-state.tsx";

const w = en.keys;

/** The keys of the installation by generation, and the fingerprint of the root, which readers of evidence compare. */
export function Keys({ log: { root_sha256, keys } }: { log: Transparency }) {
  if (root_sha256 === null) {
    return (
      <Card title={w.keysOfThis}>
        <p class="quiet">{w.noKeysYet}</p>
      </Card>
    );
  }
  return (
    <Card title={w.keysOfThis}>
      <div class="root-fingerprint stack tight">
        <h3>{w.fingerprintOfThe}</h3>
        <WithCopy text={root_sha256} what={w.theFingerprintOf} />
        <p class="quiet small">{w.thisRootSigns}</p>
      </div>
      <Table
        caption={w.keysOfThisInstallation}
        columns={columns}
        rows={keys}
        keyOf={({ purpose, generation }) => `${purpose} ${generation}`}
      />
      <p class="quiet small">
        {w.whatAReplaced}
        <a href="/.well-known/countersign-trust.json" target="_blank" rel="noopener">
          countersign-trust.json
        </a>
        {w.theOperatorSees}
        <code>countersign instance-keys list</code>.
      </p>
    </Card>
  );
}

const purposes: Record<InstanceKeyPurpose, readonly [name: string, task: string]> = {
  root: [w.root, w.issuesSealCertificates],
  records: [w.records, w.signsCheckpointsBundles],
  log: [w.log, w.signsTheNotes],
  vault: [w.vault, w.othersEncryptFor],
};

// Enough to compare by eye; the signed list has the full value.
const SHOWN_ID_LENGTH = 12;

const columns: readonly Column<InstanceKey>[] = [
  {
    head: w.purpose,
    cell: ({ purpose }) => (
      <>
        {purposes[purpose][0]}
        <span class="beside quiet small">{purposes[purpose][1]}</span>
      </>
    ),
  },
  { head: w.generation, cell: ({ generation }) => generation },
  { head: w.state, cell: (key) => <State of={key} /> },
  { head: w.from, cell: ({ not_before }) => <Day at={not_before} /> },
  { head: w.until, cell: (key) => <Until of={key} /> },
  {
    head: w.fingerprint,
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
  if (revoked_at !== null) return <Chip tone="bad">{w.revoked}</Chip>;
  if (not_after === null) return <Chip tone="good">{w.inUse}</Chip>;
  if (reason === "key_lost") return <Chip tone="caution">{w.lost}</Chip>;
  return new Date(not_after).getTime() > serverNow() ? <Chip tone="waiting">{w.beingReplaced}</Chip> : <Chip>{w.replaced}</Chip>;
}

function Until({ of: { not_after, revoked_at, invalid_from, certificate_expires_at } }: { of: InstanceKey }): ComponentChildren {
  return (
    <>
      {not_after === null ? <span class="quiet">{w.noEndSet}</span> : <Day at={not_after} />}
      {not_after === null && certificate_expires_at !== null && (
        <span class="beside quiet small">{w.certificateExpires(day(certificate_expires_at))}</span>
      )}
      {revoked_at !== null && <span class="beside small">{w.revokedOf(day(revoked_at))}</span>}
      {invalid_from !== null && <span class="beside small">{w.notValidFrom(utc(invalid_from))}</span>}
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
