import type { EnvelopeAuditEntry } from "@countersign/client/types";
import { list } from "../api.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { useLoad } from "../use-load.ts";
import type { Recorded } from "./recorded.ts";
import { Moment } from "./stored.tsx";

const acts: Readonly<Record<string, string>> = {
  widget: "Looked at the record",
  copy: "Downloaded a copy",
  certificate: "Downloaded the certificate",
  evidence: "Downloaded the evidence bundle",
  package: "Fetched the export package",
};

/** Who had what of the document: written down before it went out. */
export function AccessLog({ envelope_id, people }: Recorded) {
  const page = pageOf("log");
  const loaded = useLoad(`log ${page}`, () => list("list_vault_accesses", { params: { envelope_id }, query: { page, limit: 20 } }));
  const columns: readonly Column<EnvelopeAuditEntry>[] = [
    { head: "What", cell: ({ data }) => acts[String(data?.what)] ?? (data === null ? "Erased" : "Had access") },
    { head: "Who", cell: (item) => whoOf(item, people.actorOf) },
    { head: "When", cell: ({ at }) => <Moment at={at} /> },
    { head: "From", cell: ({ data }) => (typeof data?.ip === "string" ? data.ip : "–"), minor: true },
    { head: "Entry", cell: ({ seq }) => seq, end: true, minor: true },
  ];
  return (
    <PagedTable
      loaded={loaded}
      caption="Who had what of the document, newest first"
      columns={columns}
      keyOf={({ seq }) => String(seq)}
      pageName="log"
      empty={
        <p class="quiet">
          Nobody had anything of it yet. Every copy, certificate, bundle and visit is written down here before it goes out.
        </p>
      }
    />
  );
}

/** Somebody outside the organization is known by the address that a link or a token was made for. */
function whoOf({ actor, data }: EnvelopeAuditEntry, nameOf: Recorded["people"]["actorOf"]): string {
  const isOutside = actor.kind === "signer" || actor.kind === "viewer";
  return isOutside && typeof data?.by === "string" ? data.by : nameOf(actor);
}
