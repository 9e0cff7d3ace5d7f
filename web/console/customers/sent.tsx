export interface Progress {
  readonly sent_bytes: number;
  readonly total_bytes: number;
}

/** How much of the file has gone out, which is as far as the service has read. */
export function Sent({ progress: { sent_bytes, total_bytes }, onCancel }: { progress: Progress; onCancel: () => void }) {
  const isOut = total_bytes > 0 && sent_bytes >= total_bytes;
  const percent = total_bytes === 0 ? 0 : Math.floor((sent_bytes / total_bytes) * 100);
  return (
    <div class="stack tight">
      <progress class="progress" aria-label="Upload" max={total_bytes || 1} value={sent_bytes} />
      <div class="card-head">
        <p>
          {isOut
            ? "All is sent. The service writes the last rows."
            : `${percent} % sent, ${sent_bytes.toLocaleString()} of ${total_bytes.toLocaleString()} bytes.`}
        </p>
        <button type="button" class="button" data-next onClick={onCancel}>
          Cancel
        </button>
      </div>
      <p class="quiet small">Rows that are written stay, also when you cancel.</p>
    </div>
  );
}
