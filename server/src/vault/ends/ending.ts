import type { ActId, AuthoritativeCopyId, EndingId, EnvelopeId, PersonId } from "../../shared/ids.ts";
import type { Recipient } from "../exports/export.ts";

/** How a record ends for good: it is replaced by paper, or destroyed. */

export const endingKinds = ["paper", "destruction"] as const;
export type EndingKind = (typeof endingKinds)[number];
export const endingStates = ["begun", "done", "cancelled"] as const;
export type EndingState = (typeof endingStates)[number];

export interface RecordEnding {
  readonly ending_id: EndingId;
  readonly kind: EndingKind;
  readonly state: EndingState;
  readonly envelope_id: EnvelopeId;
  readonly copy_id: AuthoritativeCopyId;
  readonly act_id: ActId;
  readonly reason: string;
  /** when the electronic record ended; each page of the paper says so */
  readonly begun_at: Date;
  readonly done_at: Date | null;
  /** of paper: who prints it. The PDF is null until a job has made it */
  readonly recipient: Recipient | null;
  readonly person_id: PersonId | null;
  readonly pdf_sha256: string | null;
  readonly pdf_size: number | null;
  readonly downloaded_at: Date | null;
  /** of a destruction, once it is done */
  readonly files: readonly DestroyedFile[] | null;
  readonly certificate_sha256: string | null;
}

export interface DestroyedFile {
  readonly what: string;
  readonly sha256: string;
  readonly size: number;
  /** another record or a template uses the same bytes, so they were not removed */
  readonly kept: boolean;
}

/** On each page. A reader of the paper learns that there is no electronic original any more, and since when. */
export const paperMark = ({ envelope_id, begun_at }: Pick<RecordEnding, "envelope_id" | "begun_at">): string =>
  `Paper original of ${envelope_id}, electronic record ended ${begun_at.toISOString().slice(0, 19)}Z`;
