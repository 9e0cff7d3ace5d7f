import { writeCsv } from "@countersign/csv";
import { eventWords } from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import type { FileAnswer } from "../http/endpoint.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { nameFile } from "../shared/name-file.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { presentTrailItem } from "./present.ts";
import { findEnvelope } from "./store.ts";

const HEADER = ["seq", "at", "event", "type", "actor_kind", "actor_id", "data", "previous_hash", "hash"];

/** The whole audit trail as CSV, oldest entry first. It shows what the list of entries shows this caller. */
export async function exportAuditTrail({ db }: Pick<EnvelopeDeps, "db">, caller: Caller, envelope_id: EnvelopeId): Promise<FileAnswer> {
  const { envelope_name, links } = await db.tx(caller.org, async (tx) => ({
    envelope_name: (await findEnvelope(tx, caller.org, envelope_id)).envelope_name,
    links: await readChain(tx, caller.org, envelope_id),
  }));
  const rows = links.map((link) => {
    const { seq, at, type, actor, data, hash } = presentTrailItem({ ...link.entry, data: link.data?.data ?? null }, caller);
    return [
      String(seq),
      at,
      eventWords(link),
      type,
      actor.kind,
      actor.id,
      data === null ? null : JSON.stringify(data),
      link.entry.prev,
      hash,
    ];
  });
  const bytes = Buffer.from(writeCsv([HEADER, ...rows]));
  return { type: "text/csv; charset=utf-8", bytes, file_name: nameFile(envelope_name, "csv", "audit trail") };
}
