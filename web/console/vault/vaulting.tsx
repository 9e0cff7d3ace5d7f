import { useEffect, useRef, useState } from "preact/hooks";
import { getIfChanged } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useInterval } from "../use-load.ts";

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
      <h2>Storing {name} in the vault</h2>
      <div class="stack tight" role="status">
        <progress class="progress" aria-label="Storing" />
        <p>The deposit is recorded. The document is sealed and stored, then the eight checks run and the certificate is created.</p>
        <p class="quiet small">This continues in the background. You can leave this page.</p>
      </div>
      <ErrorNotice error={error} onRetry={poll} />
    </section>
  );
}
