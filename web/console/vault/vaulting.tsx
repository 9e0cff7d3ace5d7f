import { useEffect, useRef, useState } from "preact/hooks";
import { getIfChanged } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useInterval } from "../use-load.ts";

// The pipeline takes seconds; where it waits for a time stamp it takes minutes, and asking is cheap while nothing has changed.
const ASK_EVERY_SECONDS = 2;

/** Deposited, and not yet certified: waits for the pipeline, then shows the record. */
export function Vaulting({ envelope_id, name }: { envelope_id: string; name: string }) {
  const tag = useRef<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const look = async () => {
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
  useEffect(() => void look(), []);
  useInterval(ASK_EVERY_SECONDS, () => void look());
  return (
    <section class="card stack">
      <h2>{name} is being vaulted</h2>
      <div class="stack tight" role="status">
        <progress class="progress" aria-label="Vaulting" />
        <p>The deposit is on record. The document is sealed and stored, then the eight checks look at it and the certificate is made.</p>
        <p class="quiet small">It goes on by itself: you may leave this page.</p>
      </div>
      <ErrorNotice error={error} onRetry={look} />
    </section>
  );
}
