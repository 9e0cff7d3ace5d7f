import type { UploadedMarkInput } from "@countersign/client/pages";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { MarkView } from "./mark-view.tsx";
import { extractInk, type InkResult } from "./picture.ts";

export interface UploadPictureProps {
  readonly uploaded: UploadedMarkInput | null;
  /** The image that was chosen, or why it cannot be used. */
  readonly onTake: (taken: UploadedMarkInput | string) => void;
}

/** Chooses an image of a signature and shows what will be used of it. */
export function UploadPicture({ uploaded, onTake }: UploadPictureProps) {
  const take = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    const taken = await extractInk(file);
    // Ignored if another file was chosen in the meantime.
    if (input.files?.[0] === file) onTake(typeof taken === "string" ? reasonFor(taken) : { kind: "uploaded", png: taken.png });
  };
  return (
    <>
      <p class="quiet small" id="upload-hint">
        {lazyWords.value.uploadHint}
      </p>
      <label class="button adopt-choose">
        {words.value.uploadChoose}
        <input
          class="hidden-visually"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby="upload-hint"
          onChange={(event) => void take(event.currentTarget)}
          // Cancelling the file chooser must not close the dialog, which listens for the same event.
          onCancel={(event) => event.stopPropagation()}
        />
      </label>
      {uploaded !== null && (
        <div>
          <p class="label">{lazyWords.value.preview}</p>
          <div class="adopt-paper adopt-preview">
            <MarkView mark={uploaded} label={lazyWords.value.preview} />
          </div>
        </div>
      )}
    </>
  );
}

function reasonFor(problem: Extract<InkResult, string>): string {
  switch (problem) {
    case "unreadable":
      return lazyWords.value.uploadBad;
    case "too_big":
      return lazyWords.value.uploadBig;
    case "blank":
      return words.value.tooLittle;
  }
}
