import type { Permission } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { call, list } from "../api.ts";
import { mail } from "../boot.ts";
import { Link } from "../link.tsx";
import { navigate } from "../navigation.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { GlyphBox, type GlyphName } from "../parts/glyph.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { chosenFiles } from "../prepare/chosen-files.ts";
import { FileField } from "../prepare/file-field.tsx";
import { useSending } from "../sending.ts";
import { may, session } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/first-run/en.ts";
import { en as parts } from "../words/role/en.ts";
import { usePrepareSample } from "./prepare-sample.ts";

/** What a new organization does first, and which of it is done. */
export function StartCards() {
  const loaded = useLoad("progress", loadProgress);
  const done = loaded.data;
  const { yours, developers } = words;
  const tasks: readonly TaskProps[] = [
    {
      glyph: "mail",
      name: yours.mail,
      hint: mail === "server" ? yours.mailDone : yours.mailToDo,
      isDone: mail === "server",
      action: may("mail:manage") && <TaskLink to="/outbox" name={yours.mail} words={yours.mailAction} />,
    },
    {
      glyph: "spark",
      name: yours.logo,
      hint: yours.logoHint,
      isDone: done?.branding ?? false,
      action: may("settings:manage") && <TaskLink to="/settings" name={yours.logo} words={yours.add} />,
    },
    {
      glyph: "people",
      name: yours.team,
      hint: yours.teamHint,
      isDone: done?.team ?? false,
      action: may("members:manage") && <TaskLink to="/members" name={yours.team} words={yours.invite} />,
    },
  ];
  return (
    <>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <SendCard />
      <div class="starts">
        <Card
          title={yours.title}
          {...(done !== null && {
            actions: <span class="quiet small">{yours.doneOf(tasks.filter(({ isDone }) => isDone === true).length, tasks.length)}</span>,
          })}
        >
          <ul class="tasks">
            {tasks.map((task) => (
              <Task key={task.name} {...task} />
            ))}
            <Task
              glyph="shield"
              name={yours.account}
              hint={yours.accountHint}
              isDone={null}
              action={<TaskLink to="/account" name={yours.account} words={yours.open} />}
            />
          </ul>
        </Card>
        <Card title={developers.title}>
          <ul class="tasks">
            <Task
              glyph="key"
              name={developers.key}
              hint={hintFor("keys:manage", developers.keyHint, developers.keyRole)}
              isDone={done?.key ?? null}
              action={may("keys:manage") && <TaskLink to="/keys?new=1" name={developers.key} words={developers.create} />}
            />
            <Task
              glyph="hook"
              name={developers.webhook}
              hint={hintFor("webhooks:write", developers.webhookHint, developers.webhookRole)}
              isDone={done?.webhook ?? null}
              action={may("webhooks:write") && <TaskLink to="/webhooks?new=1" name={developers.webhook} words={developers.add} />}
            />
            <Task
              glyph="code"
              name={developers.try}
              hint={developers.tryHint}
              isDone={null}
              action={<TaskLink to="/try" name={developers.try} words={developers.open} />}
            />
          </ul>
        </Card>
      </div>
    </>
  );
}

/** To others than admins it says which role the task needs. */
const hintFor = (needs: Permission, hint: string, to: string): string => (may(needs) ? hint : parts.notAllowed(session.value?.role, to));

interface Progress {
  /** null: not known, because only admins see keys */
  readonly key: boolean | null;
  readonly webhook: boolean;
  readonly branding: boolean;
  readonly team: boolean;
}

async function loadProgress(): Promise<Progress> {
  const exists = async (operation: "list_keys" | "list_endpoints") => (await list(operation, { query: { limit: 1 } })).meta.total > 0;
  const [key, webhook, { branding }, members] = await Promise.all([
    may("keys:manage") ? exists("list_keys") : null,
    exists("list_endpoints"),
    call("get_settings"),
    list("list_members", { query: { limit: 1 } }),
  ]);
  return { key, webhook, branding: Object.keys(branding).length > 0, team: members.meta.total > 1 };
}

interface TaskProps {
  readonly glyph: GlyphName;
  readonly name: string;
  readonly hint: string;
  /** null: it is never done, or not known */
  readonly isDone: boolean | null;
  readonly action: ComponentChildren;
}

function Task({ glyph, name, hint, isDone, action }: TaskProps) {
  return (
    <li class="task">
      <GlyphBox name={isDone === true ? "check" : glyph} tone={isDone === true ? "good" : "plain"} />
      <div class="needs-words">
        <strong>{name}</strong>
        <span class="quiet small">{hint}</span>
      </div>
      {isDone === true ? <Chip tone="good">{words.done}</Chip> : action}
    </li>
  );
}

const TaskLink = ({ to, name, words: text }: { to: string; name: string; words: string }) => (
  <Link to={to} class="button" aria-label={`${text}: ${name}`}>
    {text}
  </Link>
);

/** The first document: the user's own first, the sample second. */
function SendCard() {
  const sending = useSending();
  const prepareSample = usePrepareSample();
  const { send } = words;
  return (
    <Card title={send.title}>
      <p class="quiet">{send.lead}</p>
      <RequirePermission needs="envelopes:write" to={send.role}>
        <div class="first-drop">
          <FileField
            files={[]}
            label={send.drop}
            hint={send.dropHint}
            share={null}
            error={null}
            onFiles={(files) => {
              chosenFiles.value = files;
              navigate("/envelopes/new");
            }}
          />
        </div>
        <div class="buttons">
          <Link to="/envelopes/new?source=template" class="button">
            {send.template}
          </Link>
          <ActionButton sending={sending} onAction={prepareSample}>
            {send.sample}
          </ActionButton>
        </div>
        <p class="quiet small">{send.sampleHint}</p>
        <ErrorNotice error={sending.error} />
      </RequirePermission>
    </Card>
  );
}
