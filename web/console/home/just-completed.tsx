import type { CompletedEnvelope } from "@countersign/client/types";
import { call } from "../api.ts";
import { namesOf } from "../envelopes/names-of.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { Avatars } from "../parts/avatars.tsx";
import { Card } from "../parts/card.tsx";
import { cut } from "../parts/cut.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { saveFrom } from "../parts/save.ts";
import { Skeleton } from "../parts/skeleton.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/home-cards/en.ts";

const words = en.completed;

/** The envelopes that were completed last, each with its document. */
export function JustCompleted() {
  const loaded = useLoad("completed", () => call("get_latest_completed"));
  const sending = useSending();
  const items = loaded.data?.items;
  const save = ({ envelope_id }: CompletedEnvelope) =>
    sending.run(() => saveFrom("get_envelope_document", "document.pdf", { params: { envelope_id } }));
  return (
    <Card title={words.title} {...(items !== undefined && items.length > 0 && { actions: <Link to="/envelopes">{words.all}</Link> })}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <ErrorNotice error={sending.error} />
      {items === undefined && loaded.isSlow && <Skeleton lines={3} />}
      {items?.length === 0 && <p class="quiet">{words.none}</p>}
      {items !== undefined && items.length > 0 && (
        <ul class="completed">
          {items.map((one) => (
            <Line key={one.envelope_id} of={one} isBusy={sending.isBusy} onSave={() => void save(one)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({ of, isBusy, onSave }: { of: CompletedEnvelope; isBusy: boolean; onSave: () => void }) {
  const people = of.recipients.filter(({ kind }) => kind !== "cc");
  const others = of.recipient_count - of.recipients.length;
  const named = others > 0 ? [...people, { name: words.others(formatNumber(others)) }] : people;
  return (
    <li>
      {people.length > 0 && <Avatars people={people.slice(0, 1)} />}
      <div class="needs-words">
        <Link to={`/envelopes/${of.envelope_id}`}>{cut(of.envelope_name)}</Link>
        <span class="quiet small">
          {people.length > 0 && <span class="completed-people">{cut(namesOf(named))}, </span>}
          <When at={of.completed_at} />
        </span>
      </div>
      <button type="button" class="button quiet" aria-label={words.download(of.envelope_name)} disabled={isBusy} onClick={onSave}>
        <Glyph name="download" />
      </button>
    </li>
  );
}
