import type { EnvelopeStatus } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { en as words } from "../words/statuses/en.ts";
import { Glyph, type GlyphName } from "./glyph.tsx";

export type Tone = "plain" | "going" | "good" | "caution" | "bad" | "waiting";

const glyphs: Readonly<Record<Tone, GlyphName | null>> = {
  plain: null,
  going: "send",
  good: "check",
  caution: "warning",
  bad: "cross",
  waiting: "clock",
};

interface ChipProps {
  readonly tone?: Tone;
  /** by default the one of its tone; null: none */
  readonly glyph?: GlyphName | null;
  readonly children: ComponentChildren;
}

/** A label for a state. Colour and icon only repeat what the text says. */
export function Chip({ tone = "plain", glyph = glyphs[tone], children }: ChipProps) {
  return (
    <span class={`chip ${tone}`}>
      {glyph !== null && <Glyph name={glyph} />}
      {children}
    </span>
  );
}

const shown: Record<EnvelopeStatus, readonly [tone: Tone, glyph: GlyphName]> = {
  pending: ["plain", "page"],
  uploaded: ["plain", "page"],
  preparing: ["plain", "page"],
  sent: ["going", "send"],
  viewed: ["going", "eye"],
  completed: ["good", "check"],
  vaulted: ["good", "vault"],
  declined: ["bad", "cross"],
  voided: ["plain", "cross"],
  expired: ["caution", "clock"],
};

export const statusLabel = (status: EnvelopeStatus): string => words[status];

/** `isDiscarded`: a draft that was given up, which the API has as voided. */
export function StatusChip({ status, isDiscarded = false }: { status: EnvelopeStatus; isDiscarded?: boolean }) {
  const [tone, glyph] = isDiscarded ? (["plain", "cross"] as const) : shown[status];
  return (
    <Chip tone={tone} glyph={glyph}>
      {isDiscarded ? words.discarded : words[status]}
    </Chip>
  );
}
