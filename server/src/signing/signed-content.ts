import { hashOfState, type StandingValue } from "@countersign/evidence";
import { type Read, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import type { AdoptedMark, Entered } from "./mark.ts";
import { type Step, stepsOf } from "./steps.ts";
import type { SentDocument } from "./submission.ts";

/** What a signer entered into one field, and signed. */
export interface SignedContent {
  readonly position: number;
  readonly slug: Slug;
  readonly entered: Entered;
}

interface Row {
  readonly position: number;
  readonly slug: Slug;
  readonly value: string | null;
  readonly mark_sha256: string | null;
  readonly signed_at: Date | null;
}

/** By all who have signed so far. */
export async function listSignedContent(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<SignedContent[]> {
  const { rows } = await read.query<Row>(sql`
    select position, slug, value, null as mark_sha256, null::timestamptz as signed_at
    from signed_values where org_id = ${org} and envelope_id = ${envelope_id}
    union all
    select position, slug, null, mark_sha256, signed_at from signatures where org_id = ${org} and envelope_id = ${envelope_id}
    order by position`);
  // Initials may stand on a hundred pages: their picture is read once, and one value is shared by all.
  const marks = new Map((await listMarks(read, org, envelope_id)).map((mark) => [`${mark.slug} ${mark.sha256}`, mark]));
  return rows.map(({ position, slug, value, mark_sha256, signed_at }) => {
    if (value !== null) return { position, slug, entered: { text: value } };
    const mark = marks.get(`${slug} ${mark_sha256}`);
    if (mark === undefined || signed_at === null) throw new Error("a signature without its mark");
    return { position, slug, entered: { mark, at: signed_at } };
  });
}

async function listMarks(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<(AdoptedMark & { readonly slug: Slug })[]> {
  const { rows } = await read.query<AdoptedMark & { slug: Slug }>(sql`
    select m.slug, m.sha256, m.method, m.content from adopted_marks m
    where m.org_id = ${org} and (m.slug, m.sha256) in (
      select slug, mark_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id})`);
  return rows;
}

/** A value that can no longer change, in its step. */
export interface Standing {
  readonly step: Step;
  /** null: the sender's, in a field that is locked for its signer */
  readonly slug: Slug | null;
  readonly entered: Entered;
}

/** Everything that whoever opens the document can rely on: what was signed, and what the sender filled in and locked. */
export function standingIn({ fields }: Pick<SentDocument, "fields">, signed: readonly SignedContent[]): Standing[] {
  const byPosition = new Map(signed.map((content) => [content.position, content]));
  return stepsOf(fields).flatMap((step): Standing[] => {
    const content = byPosition.get(step.fields[0].position);
    if (content !== undefined) return [{ step, slug: content.slug, entered: content.entered }];
    return step.readonly && step.given !== null ? [{ step, slug: null, entered: { text: step.given } }] : [];
  });
}

/** By hash: the version, and all that stands in it. */
export function stateHash({ prepared_sha256 }: Pick<SentDocument, "prepared_sha256">, standing: readonly Standing[]): string {
  return hashOfState(prepared_sha256, standing.flatMap(standingValues));
}

export function standingValues({ step, entered }: Pick<Standing, "step" | "entered">): StandingValue[] {
  return step.fields.map(({ position }) =>
    "mark" in entered ? { position, value: null, mark_sha256: entered.mark.sha256 } : { position, value: entered.text, mark_sha256: null },
  );
}
