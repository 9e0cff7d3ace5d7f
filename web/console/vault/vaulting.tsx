import { useEffect, useRef, useState } from "preact/hooks";
import { getIfChanged } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useInterval } from "../use-load.ts";
import { en } from "../words/deposit/en.ts";

const w = en.vaulting;

// The pipeline takes seconds, or minutes if it waits for a time-stamp. Polling is cheap while nothing has changed.
const POLL_SECONDS = 2;

/** Waits until the deposited document is stored and certified, then opens its record. */
export function Vaulting({ envelope_id, name }: { envelope_id: string; name: string }) {
  const tag = useRef<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const poll = async () => {
    try {
      const found = await getIfChanged("get_envelope_status", { params: { envelope_id } }, tag.current);
      setError(null);
      if (found === null) return;
      tag.current = found.tag;
      if (found.data.status === "vaulted") navigate(`/vault/${envelope_id}`, { replace: true });
    } catch (failure) {
      setError(failure);
    }
  };
  useEffect(() => void poll(), []);
  useInterval(POLL_SECONDS, () => void poll());
  return (
    <section class="card stack">
      <h2>{w.storingInThe(name)}</h2>
      <div class="stack tight" role="status">
        <progress class="progress" aria-label={w.storing} />
        <p>{w.theDepositIs}</p>
        <p class="quiet small">{w.thisContinuesIn}</p>
      </div>
      <ErrorNotice error={error} onRetry={poll} />
    </section>
  );
}
