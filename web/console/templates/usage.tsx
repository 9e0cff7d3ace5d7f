import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/templates/en.ts";

const words = en.usage;

/** How many envelopes, drafts, forms and bulk sends use a template, with links to the lists. */
export function UsageCard({ template_id }: { template_id: string }) {
  const { data, error, reload } = useLoad(`usage ${template_id}`, () => call("get_template_usage", { params: { template_id } }));
  return (
    <Card title={words.title}>
      <ErrorNotice error={error} onRetry={reload} />
      {data !== null && <Usage usage={data} />}
    </Card>
  );
}

interface UsageProps {
  readonly usage: {
    readonly template_id: string;
    readonly envelopes: number;
    readonly drafts: number;
    readonly forms: number;
    readonly bulk_batches: number;
  };
}

function Usage({ usage: { template_id, envelopes, drafts, forms, bulk_batches } }: UsageProps) {
  const uses = [
    [envelopes, words.envelopes, `/envelopes?template_id=${template_id}`],
    [drafts, words.drafts, `/envelopes?template_id=${template_id}&stage=draft`],
    [forms, words.forms, `/forms?template_id=${template_id}`],
    [bulk_batches, words.batches, `/bulk?template_id=${template_id}`],
  ] as const;
  const shown = uses.filter(([count]) => count > 0);
  if (shown.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <ul class="template-uses">
      {shown.map(([count, say, to]) => (
        <li key={to}>
          <Link to={to}>{say(count)}</Link>
        </li>
      ))}
    </ul>
  );
}
