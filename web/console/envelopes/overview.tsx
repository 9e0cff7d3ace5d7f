import { lazy } from "../parts/lazy.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { may } from "../session.ts";
import { en as words } from "../words/envelope/en.ts";
import { isDiscarded, isDraft } from "./api.ts";
import { DocumentCard } from "./document.tsx";
import { Recipients } from "./recipients.tsx";
import type { EnvelopeData } from "./use-envelope.ts";

// Below what the user reads first, so that nothing moves when they arrive.
const Activity = lazy(async () => (await import("./activity.tsx")).Activity);
const Details = lazy(async () => (await import("./details.tsx")).Details);

interface OverviewProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
  /** differs whenever something happened */
  readonly changed: string;
}

/** The document, and beside it the people, what happened, and the settings. */
export function Overview({ data, onDone, changed }: OverviewProps) {
  const { envelope } = data;
  return (
    <>
      {!may("envelopes:write") && (
        <RequirePermission needs="envelopes:write" to={words.toWork}>
          {null}
        </RequirePermission>
      )}
      <div class="envelope-columns">
        <DocumentCard key={String(isDraft(envelope.status))} envelope={envelope} recipients={data.recipients} documents={data.documents} />
        <div class="envelope-side">
          <Recipients data={data} onDone={onDone} />
          <Activity envelope_id={envelope.envelope_id} recipients={data.recipients} isDiscarded={isDiscarded(envelope)} changed={changed} />
          <Details data={data} onDone={onDone} />
        </div>
      </div>
    </>
  );
}
