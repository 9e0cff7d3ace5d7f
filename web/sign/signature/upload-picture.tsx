import type { UploadedMarkInput } from "@countersign/client/pages";
import { useId } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { MarkView } from "./mark-view.tsx";
import type { InkResult } from "./picture.ts";

interface UploadPictureProps {
  readonly uploaded: UploadedMarkInput | null;
  readonly onTake: (taken: InkResult | "unreached") => void;
}

/** Few signers upload an image, so the code for it is loaded on demand. */
async function readPicture(file: File): Promise<InkResult | "unreached"> {
  const part = await import("../screens/lazy.ts").catch(() => null);
  return part === null ? "unreached" : part.extractInk(file);
}

export function UploadPicture({ uploaded, onTake }: UploadPictureProps) {
  const hint = useId();
  const take = async (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file === undefined) return;
    const taken = await readPicture(file);
    // Ignored if another file was chosen in the meantime.
    if (input.files?.[0] === file) onTake(taken);
  };
  return (
    <>
      <p class="quiet small" id={hint}>
        {words.value.uploadHint}
      </p>
      <label class="button adopt-choose">
        {words.value.uploadChoose}
        <input
          class="hidden-visually"
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby={hint}
          onChange={(event) => void take(event.currentTarget)}
          // Cancelling the file chooser must not close the dialog, which listens for the same event.
          onCancel={(event) => event.stopPropagation()}
        />
      </label>
      {uploaded !== null && (
        <div>
          <p class="label">{words.value.preview}</p>
          <div class="adopt-paper adopt-preview">
            <MarkView mark={uploaded} label={words.value.preview} />
          </div>
        </div>
      )}
    </>
  );
}
