import type { MarkInput, TypedMarkInput, UploadedMarkInput } from "@countersign/client/pages";
import { useSignal, useSignalEffect } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { AnyMark, MarkType } from "../ceremony.ts";
import { loadScreensAtLast } from "../parts.tsx";
import { DrawPad, DrawTools } from "./draw-pad.tsx";
import { lineOf } from "./faces.ts";
import type { Drawn } from "./stroke-path.ts";
import { isFull, isTooLittle } from "./strokes.ts";
import { allowedKinds, type Kind, Tabs, tabOf } from "./tabs.tsx";
import { TypeName } from "./type-name.tsx";
import { blankText, fontFor, fontNamed, suggestedText } from "./typed-text.ts";
import type { UploadPictureProps } from "./upload-picture.tsx";

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
  const kind = useSignal(firstKind(current));
  const drawing = useSignal<Drawn | null>(current?.kind === "drawn" ? current : null);
  const typed = useSignal<TypedMarkInput>(
    current?.kind === "typed"
      ? { ...current, font: fontNamed(current.font) }
      : { kind: "typed", text: suggestedText(what, name), font: "dancing-script" },
  );
  const uploaded = useSignal<UploadedMarkInput | null>(current?.kind === "uploaded" ? current : null);
  const upload = useSignal<FunctionComponent<UploadPictureProps> | null>(null);
  const Upload = upload.value;
  const error = useSignal<string | null>(null);
  const isSaving = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const full = drawing.value !== null && isFull(drawing.value);

  // Focuses the text input, so that Enter adopts the suggestion. Not on touch devices, where the keyboard would cover the dialog.
  useEffect(() => {
    const first = kind.value === "typed" && !isTouched() ? "input" : "[role=tab][aria-selected=true]";
    form.current?.querySelector<HTMLElement>(first)?.focus();
  }, []);

  // Any change clears the error.
  const clear = () => {
    error.value = null;
  };
  const choose = (chosen: Kind) => {
    kind.value = chosen;
    clear();
  };
  const type = (text: TypedMarkInput) => {
    typed.value = text;
    clear();
  };
  // Few signers upload an image, so the part for it is loaded when they choose to.
  useSignalEffect(() => {
    if (kind.value !== "uploaded" || upload.value !== null) return;
    const wait = () => {
      error.value = words.value.offline;
    };
    void loadScreensAtLast(wait).then(({ UploadPicture }) => {
      upload.value = UploadPicture;
      clear();
    });
  });
  const take = (taken: UploadedMarkInput | string) => {
    const isMade = typeof taken !== "string";
    uploaded.value = isMade ? taken : null;
    error.value = isMade ? null : taken;
  };
  const adopt = async () => {
    const made = markFrom(kind.value, drawing.value, typed.value, uploaded.value);
    if (typeof made === "string") {
      error.value = made;
      return;
    }
    isSaving.value = true;
    try {
      error.value = await onAdopt(made);
    } finally {
      isSaving.value = false;
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
          if (!isSaving.value) void adopt();
        }}
      >
        <p class="quiet small">{words.value.adoptLead}</p>
        <Tabs kind={kind.value} onChoose={choose} />
        <div class="adopt-panel" role="tabpanel" id="adopt-panel" aria-labelledby={tabOf(kind.value)}>
          {kind.value === "drawn" && <DrawPad drawing={drawing} onStroke={clear} />}
          {kind.value === "typed" && <TypeName what={what} typed={typed.value} error={error.value} onType={type} />}
          {kind.value === "uploaded" && Upload !== null && <Upload uploaded={uploaded.value} onTake={take} />}
        </div>
        {(error.value !== null || (kind.value === "drawn" && full)) && (
          <p class="error" role="alert" id="adopt-error">
            {error.value ?? words.value.drawFull}
          </p>
        )}
        <div class="adopt-foot">
          {kind.value === "drawn" && <DrawTools drawing={drawing} />}
          <button type="submit" class="button primary" aria-disabled={isSaving.value}>
            {isSaving.value ? words.value.saving : words.value.adopt[what]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** As the mark was made before, otherwise what is easiest on this device. */
function firstKind(current: AnyMark | null): Kind {
  const allowed = allowedKinds();
  const wanted = current?.kind ?? (isTouched() ? "drawn" : "typed");
  return allowed.includes(wanted) ? wanted : (allowed[0] ?? wanted);
}

const isTouched = (): boolean => matchMedia("(pointer: coarse)").matches;

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
