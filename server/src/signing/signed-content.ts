import { type EnteredValue, hashOfState, type Link } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { type Locale, locales } from "../shared/locales.ts";
import type { Slug } from "../shared/slugs.ts";
import type { Entered } from "./mark.ts";
import type { SealingDeps } from "./sealed-columns.ts";
import { readSigned, type SignedTables } from "./signed-store.ts";
import { type Step, stepsOf } from "./steps.ts";
import type { SentDocument } from "./submission.ts";

/** What a signer entered into one field and signed. */
export interface SignedContent {
  readonly position: number;
  readonly slug: Slug;
  readonly entered: Entered;
  /** the language of the person's page when they signed or approved */
  readonly locale: Locale;
}

/** The languages in which approvers saw the page, by slug. Those of signers are in their signatures. */
export function localesIn(links: readonly Link[]): ReadonlyMap<string, Locale> {
  const found = links.flatMap(({ entry, data }): [string, Locale][] => {
    const { locale } = Object(data?.data) as { locale?: unknown };
    const known = locales.find((one) => one === locale);
    return entry.type === "recipient.approved" && known !== undefined ? [[entry.actor.id, known]] : [];
  });
  return new Map(found);
}

/** Of everyone who has signed or approved so far. A mark is one value, shared by all its places. */
export function contentOf({ values, signatures, marks }: SignedTables, approved: ReadonlyMap<string, Locale>): SignedContent[] {
  const byHash = new Map(marks.map((mark) => [`${mark.slug} ${mark.sha256}`, mark]));
  const signedIn = new Map(signatures.map(({ slug, intent_locale }) => [slug, intent_locale]));
  const entered = values.map(({ position, slug, value }) => {
    const locale = signedIn.get(slug) ?? approved.get(slug);
    if (locale === undefined) throw new Error("a value of a person who neither signed nor approved");
    return { position, slug, locale, entered: { text: value } };
  });
  const signed = signatures.map(({ position, slug, mark_sha256, signed_at, intent_locale: locale }) => {
    const mark = byHash.get(`${slug} ${mark_sha256}`);
    if (mark === undefined) throw new Error("a signature without its mark");
    return { position, slug, locale, entered: { mark, at: signed_at } };
  });
  return [...entered, ...signed].sort((a, b) => a.position - b.position);
}

export async function listSignedContent(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  links: readonly Link[],
): Promise<SignedContent[]> {
  return contentOf(await readSigned(deps, tx, org, envelope_id), localesIn(links));
}

/** A value that can no longer change, with its step. */
export interface FinalValue {
  readonly step: Step;
  /** null for a value of the sender, in a field that is locked for its signer */
  readonly slug: Slug | null;
  readonly entered: Entered;
  /** the language in which it is written into the document; null: as it is stored */
  readonly locale: Locale | null;
}

/** `values_locale`: the language in which the sender's values are written into the document; null: all values are written as stored. */
export type ValuesOf = Pick<SentDocument, "fields"> & { readonly values_locale: Locale | null };

/** All values that can no longer change: what was signed, and what the sender filled in and locked. */
export function finalValuesIn({ fields, values_locale }: ValuesOf, signed: readonly SignedContent[]): FinalValue[] {
  const byPosition = new Map(signed.map((content) => [content.position, content]));
  return stepsOf(fields).flatMap((step): FinalValue[] => {
    const content = byPosition.get(step.fields[0].position);
    if (content === undefined) {
      return step.readonly && step.given !== null ? [{ step, slug: null, entered: { text: step.given }, locale: values_locale }] : [];
    }
    // A locked value is the sender's, also after its signer has signed.
    const locale = values_locale === null || step.readonly ? values_locale : content.locale;
    return [{ step, slug: content.slug, entered: content.entered, locale }];
  });
}

/** The hash of the version and all its values. */
export function stateHash({ prepared_sha256 }: Pick<SentDocument, "prepared_sha256">, values: readonly FinalValue[]): string {
  return hashOfState(prepared_sha256, values.flatMap(hashedValues));
}

export function hashedValues({ step, entered }: Pick<FinalValue, "step" | "entered">): EnteredValue[] {
  return step.fields.map(({ position }) =>
    "mark" in entered ? { position, value: null, mark_sha256: entered.mark.sha256 } : { position, value: entered.text, mark_sha256: null },
  );
}
