import type { ComponentChildren } from "preact";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { usePrepareSample } from "./prepare-sample.ts";

/** The first three tasks, and which of them are done. */
export function StartCards() {
  const loaded = useLoad("progress", loadProgress);
  const done = loaded.data;
  return (
    <>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <div class="starts">
        <StartCard title="Create an API key" isDone={done?.key ?? null}>
          <p class="quiet">Your own programs use it to send documents and check their status.</p>
          <RequireRole least="admin" to="create keys">
            <div class="buttons">
              <Link to="/keys?new=1" class="button">
                Create key
              </Link>
            </div>
          </RequireRole>
        </StartCard>
        <StartCard title="Send a document" isDone={done?.envelope ?? null}>
          <p class="quiet">A one-page sample agreement for you to sign yourself. You can review it before it is sent.</p>
          <RequireRole least="member" to="send documents">
            <PrepareSample />
          </RequireRole>
        </StartCard>
        <StartCard title="Add a webhook" isDone={done?.webhook ?? null}>
          <p class="quiet">Your systems are notified when a signer opens, signs or declines a document.</p>
          <RequireRole least="admin" to="add webhooks">
            <div class="buttons">
              <Link to="/webhooks?new=1" class="button">
                Add endpoint
              </Link>
            </div>
          </RequireRole>
        </StartCard>
      </div>
    </>
  );
}

interface Progress {
  /** null: not known, because only admins see keys */
  readonly key: boolean | null;
  readonly envelope: boolean;
  readonly webhook: boolean;
}

async function loadProgress(): Promise<Progress> {
  const exists = async (operation: "list_keys" | "list_envelopes" | "list_endpoints") =>
    (await list(operation, { query: { limit: 1 } })).meta.total > 0;
  const [key, envelope, webhook] = await Promise.all([
    hasRole("admin") ? exists("list_keys") : null,
    exists("list_envelopes"),
    exists("list_endpoints"),
  ]);
  return { key, envelope, webhook };
}

function StartCard({ title, isDone, children }: { title: string; isDone: boolean | null; children: ComponentChildren }) {
  const state = isDone === null ? null : isDone ? <Chip tone="good">Done</Chip> : <Chip>To do</Chip>;
  return (
    <Card title={title} {...(state !== null && { actions: state })}>
      {children}
    </Card>
  );
}

function PrepareSample() {
  const sending = useSending();
  const prepareSample = usePrepareSample();
  return (
    <>
      <div class="buttons">
        <ActionButton sending={sending} onAction={prepareSample} kind="primary">
          Prepare sample
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </>
  );
}
