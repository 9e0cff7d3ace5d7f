import type { MarkInput, TypedMarkInput, UploadedMarkInput } from "@countersign/client/pages";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { AnyMark, MarkType } from "../ceremony.ts";
import { DrawPad, DrawTools } from "./draw-pad.tsx";
import { lineOf } from "./faces.ts";
import type { InkResult } from "./picture.ts";
import type { Drawn } from "./stroke-path.ts";
import { isFull, isTooLittle } from "./strokes.ts";
import { allowedKinds, type Kind, Tabs, tabOf } from "./tabs.tsx";
import { TypeName } from "./type-name.tsx";
import { blankText, fontFor, fontNamed, suggestedText } from "./typed-text.ts";
import { UploadPicture } from "./upload-picture.tsx";

interface AdoptDialogProps {
  readonly what: MarkType;
  readonly name: string;
  readonly current: AnyMark | null;
  /** Returns null once the mark is saved, otherwise an error message. */
  readonly onAdopt: (mark: MarkInput) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Creates a signature or initials by drawing, typing or uploading. Each way keeps its draft while the dialog is open. */
export function AdoptDialog({ what, name, current, onAdopt, onClose }: AdoptDialogProps) {
  const [kind, setKind] = useState<Kind>(() => {
    const [first, ...others] = allowedKinds();
    const wanted = current?.kind ?? (isTouched() ? "drawn" : "typed");
    return first === undefined || first === wanted || others.includes(wanted) ? wanted : first;
  });
  const drawing = useSignal<Drawn | null>(current?.kind === "drawn" ? current : null);
  const [typed, setTyped] = useState<TypedMarkInput>(
    current?.kind === "typed"
      ? { ...current, font: fontNamed(current.font) }
      : { kind: "typed", text: suggestedText(what, name), font: "dancing-script" },
  );
  const [uploaded, setUploaded] = useState<UploadedMarkInput | null>(current?.kind === "uploaded" ? current : null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const full = drawing.value !== null && isFull(drawing.value);

  // Focuses the text input, so that Enter adopts the suggestion. Not on touch devices, where the keyboard would cover the dialog.
  useEffect(() => {
    const first = kind === "typed" && !isTouched() ? "input" : "[role=tab][aria-selected=true]";
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, []);
  // Any change clears the error. A layout effect, so that an error set by the same key press is kept.
  useLayoutEffect(() => setError(null), [kind, typed]);

  const take = (taken: InkResult | "unreached") => {
    const made = typeof taken === "object";
    setUploaded(made ? { kind: "uploaded", png: taken.png } : null);
    setError(made ? null : words.value[reasons[taken]]);
  };
  const adopt = async () => {
    const made = markFrom(kind, drawing.value, typed, uploaded);
    if (typeof made === "string") return setError(made);
    setIsSaving(true);
    try {
      setError(await onAdopt(made));
    } finally {
      setIsSaving(false);
    }
  };

  return (
    <Dialog title={words.value.adoptTitle[what]} onClose={onClose}>
      <form
        ref={form}
        class="adopt"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving) void adopt();
        }}
      >
        <p class="quiet small">{words.value.adoptLead}</p>
        <Tabs kind={kind} onChoose={setKind} />
        <div class="adopt-panel" role="tabpanel" id="adopt-panel" aria-labelledby={tabOf(kind)}>
          {kind === "drawn" && <DrawPad drawing={drawing} onStroke={() => setError(null)} />}
          {kind === "typed" && <TypeName what={what} typed={typed} error={error} onType={setTyped} />}
          {kind === "uploaded" && <UploadPicture uploaded={uploaded} onTake={take} />}
        </div>
        {(error !== null || (kind === "drawn" && full)) && (
          <p class="error" role="alert" id="adopt-error">
            {error ?? words.value.drawFull}
          </p>
        )}
        <div class="adopt-foot">
          {kind === "drawn" && <DrawTools drawing={drawing} />}
          <button type="submit" class="button primary" aria-disabled={isSaving}>
            {isSaving ? words.value.saving : words.value.adopt[what]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const isTouched = (): boolean => matchMedia("(pointer: coarse)").matches;

const reasons = { unreadable: "uploadBad", too_big: "uploadBig", blank: "tooLittle", unreached: "offline" } as const satisfies Record<
  (InkResult & string) | "unreached",
  string
>;

/** The mark, or an error message if it is not complete. */
function markFrom(kind: Kind, drawn: Drawn | null, typed: TypedMarkInput, uploaded: UploadedMarkInput | null): MarkInput | string {
  switch (kind) {
    case "drawn":
      return drawn === null || isTooLittle(drawn) ? words.value.tooLittle : drawn;
    case "typed":
      if (blankText(typed.text)) return words.value.errors.required;
      return { ...typed, text: lineOf(typed.text), font: fontFor(typed.text, typed.font) };
    case "uploaded":
      return uploaded ?? words.value.uploadChoose;
  }
}
