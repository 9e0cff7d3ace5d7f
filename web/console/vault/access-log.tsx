import type { EnvelopeAuditEntry } from "@countersign/client/types";
import { list } from "../api.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Moment } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import type { RecordProps } from "./record-props.ts";

const acts: Readonly<Record<string, string>> = {
  widget: "Viewed the record",
  record: "Looked at the record as an auditor",
  pages: "Viewed the document",
  copy: "Downloaded a copy",
  certificate: "Downloaded the certificate",
  evidence: "Downloaded the evidence bundle",
  package: "Downloaded the export package",
};

/** Who viewed or downloaded what. Each entry is written before anything is delivered. */
export function AccessLog({ envelope_id, people }: RecordProps) {
  const page = pageOf("log");
  const loaded = useLoad(`log ${page}`, () => list("list_vault_accesses", { params: { envelope_id }, query: { page, limit: 20 } }));
  const columns: readonly Column<EnvelopeAuditEntry>[] = [
    { head: "What", cell: ({ data }) => acts[String(data?.what)] ?? (data === null ? "Erased" : "Accessed the record") },
    { head: "Who", cell: (item) => whoOf(item, people.actorOf) },
    { head: "When", cell: ({ at }) => <Moment at={at} /> },
    { head: "IP address", cell: ({ data }) => (typeof data?.ip === "string" ? data.ip : "–"), minor: true },
    { head: "Entry", cell: ({ seq }) => seq, end: true, minor: true },
  ];
  return (
    <PagedTable
      loaded={loaded}
      caption="Access log, newest first"
      columns={columns}
      keyOf={({ seq }) => String(seq)}
      pageName="log"
      empty={<p class="quiet">No access yet. Every view and every download is logged here before it is delivered.</p>}
    />
  );
}

/** Signers, viewers and people who act for a party are shown by the address that their link or token was created for. */
function whoOf({ actor, data }: EnvelopeAuditEntry, nameOf: RecordProps["people"]["actorOf"]): string {
  const isOutside = actor.kind === "signer" || actor.kind === "viewer" || actor.kind === "person";
  return isOutside && typeof data?.by === "string" ? data.by : nameOf(actor);
}
