export interface Progress {
  readonly sent_bytes: number;
  readonly total_bytes: number;
}

/** The progress of the upload. The server reads while it imports, so bytes sent are also rows processed. */
export function UploadProgress({ progress: { sent_bytes, total_bytes }, onCancel }: { progress: Progress; onCancel: () => void }) {
  const isOut = total_bytes > 0 && sent_bytes >= total_bytes;
  const percent = total_bytes === 0 ? 0 : Math.floor((sent_bytes / total_bytes) * 100);
  return (
    <div class="stack tight">
      <progress class="progress" aria-label="Upload progress" max={total_bytes || 1} value={sent_bytes} />
      <div class="card-head">
        <p>
          {isOut
            ? "Upload complete. Importing the last rows…"
            : `${percent}% uploaded, ${sent_bytes.toLocaleString()} of ${total_bytes.toLocaleString()} bytes.`}
        </p>
        <button type="button" class="button" data-next onClick={onCancel}>
          Cancel
        </button>
      </div>
      <p class="quiet small">Rows already imported are kept, even if you cancel.</p>
    </div>
  );
}
