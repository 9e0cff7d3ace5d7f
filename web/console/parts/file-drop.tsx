import { useId, useState } from "preact/hooks";
import { formatNumber } from "../format-number.ts";
import { en as words } from "../words/file-drop/en.ts";
import { cut } from "./cut.tsx";
import { GlyphBox } from "./glyph.tsx";

interface FileDropProps {
  readonly label: string;
  /** what can be chosen */
  readonly hint?: string;
  /** what was chosen before */
  readonly files?: readonly File[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly accept: string;
  readonly multiple?: boolean;
  readonly name?: string;
  /** the next place for the focus, after the step before has ended */
  readonly isNext?: boolean;
  /** a whole sentence */
  readonly error?: string | null;
}

/** Files, dropped here or chosen in the browser's file picker. */
export function FileDrop({ label, hint, files = [], onFiles, accept, multiple = false, name, isNext, error = null }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (given: FileList | null | undefined) => {
    const chosen = [...(given ?? [])].slice(0, multiple ? undefined : 1);
    if (chosen.length > 0) onFiles(chosen);
  };
  const { drop, choose } = multiple ? words.several : words.one;
  const look = ["drop", isOver && "over", error !== null && "invalid"].filter(Boolean).join(" ");
  return (
    <div class="form-field drop-field">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the input inside works for everyone */}
      <div
        class={look}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer?.files);
        }}
      >
        <GlyphBox name={files.length === 0 ? "upload" : "page"} tone="accent" />
        <label class="drop-title" htmlFor={id}>
          {label}
        </label>
        <span id={`${id}-hint`}>
          {files.map((file) => (
            <span key={file.name} class="drop-file">
              {cut(file.name)}, {fileSize(file.size)}{" "}
            </span>
          ))}
          {files.length === 0 ? (
            <span class="drop-line">
              {drop} <span class="drop-choose">{choose}</span>
            </span>
          ) : (
            <span class="drop-choose">{words.replace}</span>
          )}
          {hint !== undefined && files.length === 0 && <span class="drop-hint">{hint}</span>}
        </span>
        <input
          id={id}
          type="file"
          {...(name !== undefined && { name })}
          {...(isNext && { "data-next": true })}
          multiple={multiple}
          accept={accept}
          aria-invalid={error !== null}
          aria-describedby={error === null ? `${id}-hint` : `${id}-hint ${id}-error`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again after it was corrected.
            currentTarget.value = "";
          }}
        />
      </div>
      {error !== null && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

export const fileSize = (bytes: number): string =>
  bytes < 1_000_000
    ? words.kilobytes(formatNumber(Math.max(1, Math.round(bytes / 1_000))))
    : words.megabytes((bytes / 1_000_000).toFixed(1));
