import { useId, useState } from "preact/hooks";

interface FileFieldProps {
  readonly file: File | null;
  readonly onFile: (file: File) => void;
  /** 0 to 1 during the upload */
  readonly share: number | null;
  readonly error: string | null;
}

const ACCEPTED_TYPES = ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg";

/** A file, dropped here or chosen in the browser's file picker. */
export function FileField({ file, onFile, share, error }: FileFieldProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (first !== undefined) onFile(first);
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
          {file === null ? "PDF, PNG or JPEG" : "Choose another file"}
        </label>
        <input
          id={id}
          type="file"
          accept={ACCEPTED_TYPES}
          aria-invalid={error !== null}
          aria-describedby={`${id}-hint`}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <p class="hint" id={`${id}-hint`}>
          {file === null ? "Drop a file here or choose one. Up to 50 MB." : `${file.name}, ${sizeOf(file.size)}`}
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
