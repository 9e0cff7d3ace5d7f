import type { EnvelopeAuditEntry } from "@countersign/client/types";
import { list } from "../api.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.accessLog;

const acts: Readonly<Record<string, string>> = {
  widget: w.viewedTheRecord,
  record: w.lookedAtThe,
  pages: w.viewedTheDocument,
  copy: w.downloadedACopy,
  certificate: w.downloadedTheCertificate,
  evidence: w.downloadedTheEvidence,
  package: w.downloadedTheExport,
};

/** Who viewed or downloaded what. Each entry is written before anything is delivered. */
export function AccessLog({ envelope_id, people }: RecordProps) {
  const page = pageOf("log");
  const loaded = useLoad(`log ${page}`, () => list("list_vault_accesses", { params: { envelope_id }, query: { page, limit: 20 } }));
  const columns: readonly Column<EnvelopeAuditEntry>[] = [
    { head: w.what, cell: ({ data }) => acts[String(data?.what)] ?? (data === null ? w.erased : w.accessedTheRecord) },
    { head: w.who, cell: (item) => whoOf(item, people.actorOf) },
    { head: w.when, cell: ({ at }) => <Moment at={at} /> },
    { head: w.ipAddress, cell: ({ data }) => (typeof data?.ip === "string" ? data.ip : "–"), minor: true },
    { head: w.entry, cell: ({ seq }) => seq, end: true, minor: true },
  ];
  return (
    <PagedTable
      loaded={loaded}
      caption={w.accessLogNewest}
      columns={columns}
      keyOf={({ seq }) => String(seq)}
      pageName="log"
      empty={<p class="quiet">{w.noAccessYet}</p>}
    />
  );
}

/** Signers, viewers and people who act for a party are shown by the address that their link or token was created for. */
function whoOf({ actor, data }: EnvelopeAuditEntry, nameOf: RecordProps["people"]["actorOf"]): string {
  const isOutside = actor.kind === "signer" || actor.kind === "viewer" || actor.kind === "person";
  return isOutside && typeof data?.by === "string" ? data.by : nameOf(actor);
}
