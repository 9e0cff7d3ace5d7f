import type { ComponentChildren } from "preact";
import { list } from "../api.ts";
import { useAsked } from "../asked.ts";
import { Link } from "../link.tsx";
import { Act } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Only } from "../parts/only.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useSample } from "./send-sample.ts";

/** The first three things, and which of them are done. */
export function StartCards() {
  const asked = useAsked("beginnings", beginnings);
  const done = asked.data;
  return (
    <>
      <Trouble of={asked.error} again={asked.reload} />
      <div class="starts">
        <Begin title="Create an API key" isDone={done?.key ?? null}>
          <p class="quiet">With it, your own programs send documents and ask how far they are.</p>
          <Only least="admin" to="create keys">
            <div class="buttons">
              <Link to="/keys?new=1" class="button">
                Create a key
              </Link>
            </div>
          </Only>
        </Begin>
        <Begin title="Send a document" isDone={done?.envelope ?? null}>
          <p class="quiet">A sample agreement of one page, prepared for you to sign yourself. You look at it before it is sent.</p>
          <Only least="member" to="send documents">
            <SendSample />
          </Only>
        </Begin>
        <Begin title="Add a webhook" isDone={done?.webhook ?? null}>
          <p class="quiet">Your systems are told when somebody opens, signs or declines, instead of asking.</p>
          <Only least="admin" to="add webhooks">
            <div class="buttons">
              <Link to="/webhooks?new=1" class="button">
                Add an endpoint
              </Link>
            </div>
          </Only>
        </Begin>
      </div>
    </>
  );
}

interface Beginnings {
  /** null: only admins see keys */
  readonly key: boolean | null;
  readonly envelope: boolean;
  readonly webhook: boolean;
}

async function beginnings(): Promise<Beginnings> {
  const isThere = async (operation: "list_keys" | "list_envelopes" | "list_endpoints") =>
    (await list(operation, { query: { limit: 1 } })).meta.total > 0;
  const [key, envelope, webhook] = await Promise.all([
    may("admin") ? isThere("list_keys") : null,
    isThere("list_envelopes"),
    isThere("list_endpoints"),
  ]);
  return { key, envelope, webhook };
}

function Begin({ title, isDone, children }: { title: string; isDone: boolean | null; children: ComponentChildren }) {
  const state = isDone === null ? null : isDone ? <Chip tone="good">Done</Chip> : <Chip>To do</Chip>;
  return (
    <Card title={title} {...(state !== null && { actions: state })}>
      {children}
    </Card>
  );
}

function SendSample() {
  const sending = useSending();
  const sample = useSample();
  return (
    <>
      <div class="buttons">
        <Act sending={sending} onAct={sample} kind="primary">
          Prepare the sample
        </Act>
      </div>
      <Trouble of={sending.error} />
    </>
  );
}
