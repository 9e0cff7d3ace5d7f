import { envelopeOfMark, type FingerprintKind, hashOfInstrument, type Instrument, renditionOfSeal } from "@countersign/evidence";
import type { FileMarks, Fingerprint as FoundMarks } from "@countersign/pdf/pool";

/** What identifies a document. Files, states and words are known by their SHA-256, a declared instrument too. */
export interface Fingerprint {
  readonly kind: FingerprintKind;
  readonly value: string;
}

/** The marks of a file as it came, or those of a document whose pages were read as well. */
export type Marks = FileMarks & Partial<Pick<FoundMarks, "text_sha256" | "marked">>;

/** What a file says about itself in words that only this service writes. */
export interface OwnMarks {
  /** it is marked as a copy or as unfinished, wherever it was made */
  readonly is_copy: boolean;
  /** the envelopes that it names */
  readonly envelope_ids: readonly string[];
}

export function ownMarks({ reasons, rendition, marked = [] }: Marks): OwnMarks {
  const sealed = reasons.flatMap((reason) => renditionOfSeal(reason) ?? []);
  const banded = marked.flatMap((text) => envelopeOfMark(text) ?? []);
  return {
    is_copy: rendition === "copy" || banded.length > 0 || sealed.some(({ kind }) => kind === "copy"),
    envelope_ids: [...new Set([...sealed.map(({ envelope_id }) => envelope_id), ...banded])],
  };
}

export function fingerprintsOf(marks: Marks): Fingerprint[] {
  const of = (kind: FingerprintKind, values: readonly (string | null | undefined)[]): Fingerprint[] =>
    values.flatMap((value) => (value == null ? [] : [{ kind, value }]));
  return [
    ...of("file", marks.file),
    ...of("revision", marks.revisions),
    ...of("ours", ownMarks(marks).envelope_ids),
    ...of("text", [marks.text_sha256]),
    ...of("pdf_id", [marks.pdf_id]),
  ];
}

export const instrumentFingerprint = (instrument: Instrument | null): Fingerprint[] =>
  instrument === null ? [] : [{ kind: "instrument", value: hashOfInstrument(instrument) }];
