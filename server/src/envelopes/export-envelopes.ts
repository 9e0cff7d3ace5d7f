import { writeCsv } from "@countersign/csv";
import type { StreamAnswer } from "../http/endpoint.ts";
import { iso, isoOrNull } from "../http/shapes.ts";
import type { Caller } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { type ExportedEnvelope, findExported } from "./export-store.ts";
import type { EnvelopeFilter } from "./filter.ts";
import { hasMoreThan, listAfter, type Place, type PlacedEnvelope, planList } from "./filter-store.ts";
import { mostListed } from "./statistics-store.ts";

const MAX_ROWS = 100_000;
// One transaction each, so that a slow reader holds no connection.
const ROWS_AT_ONCE = 1_000;

const HEADER = [
  "envelope_id",
  "envelope_name",
  "status",
  "customer_name",
  "customer_email",
  "external_id",
  "tags",
  "owner",
  "created_at",
  "sent_at",
  "signed_at",
  "expires_at",
];

/**
 * The list as CSV, written while it is read. Each part continues after the last row of the part before, so rows that change meanwhile are
 * neither lost nor repeated, unless the change moves them in the order of the list. Customers are left out for callers who cannot read them.
 */
export async function exportEnvelopes(
  { db }: Pick<EnvelopeDeps, "db">,
  { org, scopes }: Pick<Caller, "org" | "scopes">,
  filter: EnvelopeFilter,
): Promise<StreamAnswer> {
  const list = await db.tx(org, async (tx) => {
    const planned = await planList(tx, org, filter);
    const mayBeMore = (await mostListed(tx, org, filter)) > MAX_ROWS;
    if (mayBeMore && (await hasMoreThan(tx, planned, MAX_ROWS))) throw new Problem("export_too_large");
    return planned;
  });
  const showsCustomers = scopes.includes("customers:read");
  const read = (after: Place | null, limit: number) =>
    db.tx(org, async (tx) => {
      const rows = await listAfter(tx, list, after, limit);
      return {
        rows,
        more: await findExported(
          tx,
          org,
          rows.map(({ envelope_id }) => envelope_id),
        ),
      };
    });
  async function* pieces(): AsyncGenerator<string> {
    yield writeCsv([HEADER]);
    let after: Place | null = null;
    for (let left = MAX_ROWS; left > 0; left -= ROWS_AT_ONCE) {
      const { rows, more } = await read(after, Math.min(left, ROWS_AT_ONCE));
      if (rows.length > 0) yield writeCsv(rows.map((row) => cellsOf(row, more.get(row.envelope_id), showsCustomers)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AT_ONCE) return;
      after = { key: last.place_key, envelope_id: last.envelope_id };
    }
  }
  return { type: "text/csv; charset=utf-8", file_name: "envelopes.csv", pieces: pieces() };
}

function cellsOf(row: PlacedEnvelope, more: ExportedEnvelope | undefined, showsCustomers: boolean): (string | null)[] {
  if (more === undefined) throw new Error("a listed envelope was not found");
  return [
    row.envelope_id,
    row.envelope_name,
    row.status,
    showsCustomers ? more.customer_name : null,
    showsCustomers ? more.customer_email : null,
    row.external_id,
    more.tags.join("; "),
    more.owner,
    iso(row.created_at),
    isoOrNull(more.sent_at),
    isoOrNull(more.completed_at),
    isoOrNull(more.expires_at),
  ];
}
