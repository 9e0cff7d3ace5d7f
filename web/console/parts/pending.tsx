import type { Loadable } from "../use-load.ts";
import { ErrorNotice } from "./error-notice.tsx";
import { Skeleton } from "./skeleton.tsx";

interface PendingProps {
  readonly of: Loadable<unknown>;
  /** about as many as the content will have */
  readonly lines?: number;
}

/** Stands in a card for content that is still loading, or could not be loaded. */
export function Pending({ of: { data, error, isSlow, reload }, lines = 3 }: PendingProps) {
  return (
    <>
      <ErrorNotice error={error} onRetry={reload} />
      {data === null && isSlow && <Skeleton lines={lines} />}
    </>
  );
}
