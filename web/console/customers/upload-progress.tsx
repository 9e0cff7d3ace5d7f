import { formatNumber } from "../format-number.ts";
import { en } from "../words/customer-upload/en.ts";

const words = en.progress;

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
      <progress class="progress" aria-label={words.label} max={total_bytes || 1} value={sent_bytes} />
      <div class="card-head">
        <p>{isOut ? words.last : words.sent(percent, formatNumber(sent_bytes), formatNumber(total_bytes))}</p>
        <button type="button" class="button" data-next onClick={onCancel}>
          {words.cancel}
        </button>
      </div>
      <p class="quiet small">{words.kept}</p>
    </div>
  );
}
