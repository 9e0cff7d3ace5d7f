import { useId, useState } from "preact/hooks";

interface FileFieldProps {
  readonly file: File | null;
  readonly onFile: (file: File) => void;
  /** 0 to 1 while it is sent */
  readonly share: number | null;
  readonly error: string | null;
}

const KINDS = ".pdf,.png,.jpg,.jpeg,application/pdf,image/png,image/jpeg";

/** Dropped here, or chosen in the browser's dialog. */
export function FileField({ file, onFile, share, error }: FileFieldProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? [];
    if (first !== undefined) onFile(first);
  };
  return (
    <div class="form-field">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the input inside is everybody's */}
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
          {file === null ? "PDF, PNG or JPEG" : "Another file"}
        </label>
        <input
          id={id}
          type="file"
          accept={KINDS}
          aria-invalid={error !== null}
          aria-describedby={`${id}-said`}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <p class="hint" id={`${id}-said`}>
          {file === null ? "Drop it here, or choose it. At most 50 MB." : `${file.name}, ${sizeOf(file.size)}`}
        </p>
        {error !== null && <p class="error">{error}</p>}
      </div>
      {share !== null && (
        <p role="status">
          <progress class="progress" max={1} value={share} aria-label="Sent of the file" />
          <span class="quiet small">{share < 1 ? `${Math.round(share * 100)} % sent` : "Sent. The service reads it now."}</span>
        </p>
      )}
    </div>
  );
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000)).toLocaleString()} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** What a file is called without its ending: the name of the envelope, until somebody says otherwise. */
export const nameOfFile = (name: string): string => name.replace(/\.(pdf|png|jpe?g)$/i, "");
