import { FileDrop } from "../parts/file-drop.tsx";
import { en } from "../words/new-envelope/en.ts";

const words = en.files;

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

/** The documents of an envelope, with the progress of their upload. */
export function FileField({ files, label, hint, onFiles, share, error }: FileFieldProps) {
  return (
    <div class="form-field">
      <FileDrop
        label={label ?? (files.length === 0 ? words.label : words.other)}
        hint={hint ?? words.hint}
        accept={ACCEPTED_TYPES}
        multiple
        files={files}
        onFiles={onFiles}
        error={error}
      />
      {share !== null && (
        <p role="status">
          <progress class="progress" max={1} value={share} aria-label={words.progress} />
          <span class="quiet small">{share < 1 ? words.uploaded(Math.round(share * 100)) : words.processing}</span>
        </p>
      )}
    </div>
  );
}

/** The file's name without its extension, as the default name of the envelope. */
export const nameOfFile = (name: string): string => name.replace(/\.(pdf|png|jpe?g)$/i, "");
