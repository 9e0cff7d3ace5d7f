import { useId, useState } from "preact/hooks";

interface FileFieldProps {
  /** what was chosen before */
  readonly files: readonly File[];
  readonly label?: string;
  /** what can be chosen, while nothing is */
  readonly hint?: string;
  readonly onFiles: (files: readonly File[]) => void;
  /** 0 to 1 during the upload */
  readonly share: number | null;
  readonly error: string | null;
}

export const ACCEPTED_TYPES = ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg";

/** Files, dropped here or chosen in the browser's file picker. */
export function FileField({ files, label, hint, onFiles, share, error }: FileFieldProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (given: FileList | null | undefined) => {
    const chosen = [...(given ?? [])];
    if (chosen.length > 0) onFiles(chosen);
  };
  return (
    <div class="form-field">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the input inside works for everyone */}
      <div
        class={isOver ? "prepare-drop over" : "prepare-drop"}
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
        <label class="label" htmlFor={id}>
          {label ?? (files.length === 0 ? "PDF, PNG or JPEG" : "Choose other files")}
        </label>
        <input
          id={id}
          type="file"
          multiple
          accept={ACCEPTED_TYPES}
          aria-invalid={error !== null}
          aria-describedby={`${id}-hint`}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            // The same file can be chosen again.
            currentTarget.value = "";
          }}
        />
        <p class="hint" id={`${id}-hint`}>
          {files.length === 0
            ? (hint ?? "Drop files here or choose them. Up to 20 files, 50 MB together.")
            : files.map((file) => `${file.name}, ${sizeOf(file.size)}`).join("; ")}
        </p>
        {error !== null && <p class="error">{error}</p>}
      </div>
      {share !== null && (
        <p role="status">
          <progress class="progress" max={1} value={share} aria-label="Upload progress" />
          <span class="quiet small">{share < 1 ? `${Math.round(share * 100)}% uploaded` : "Uploaded. Processing the document…"}</span>
        </p>
      )}
    </div>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The file's name without its extension, as the default name of the envelope. */
export const nameOfFile = (name: string): string => name.replace(/\.(pdf|png|jpe?g)$/i, "");
