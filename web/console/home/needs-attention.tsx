import type { Attention, AttentionEnvelope, Statistics } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { namesOf } from "../envelopes/names-of.ts";
import { openTask } from "../envelopes/open-task.ts";
import { Link } from "../link.tsx";
import { Avatars } from "../parts/avatars.tsx";
import { ActionButton } from "../parts/button.tsx";
import { cut } from "../parts/cut.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { GlyphBox, type GlyphName, type GlyphTone } from "../parts/glyph.tsx";
import { showToast } from "../parts/toast.tsx";
import { fromNow } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { may, me } from "../session.ts";
import { en as words } from "../words/home/en.ts";
import { countText } from "./tiles.tsx";

interface NeedsAttentionProps {
  readonly of: Attention;
  /** null: not loaded yet */
  readonly figures: Statistics | null;
  readonly days: number;
  /** custody transfers that the current user can accept */
  readonly custody: number;
  readonly onChanged: () => Promise<void>;
}

type Group = Exclude<keyof typeof words.groups, "all">;

interface Line {
  readonly key: string;
  readonly group: Group;
  readonly glyph: GlyphName;
  readonly tone: GlyphTone;
  readonly title: string;
  readonly to: string;
  readonly text: string;
  readonly people?: ComponentChildren;
  readonly action: ComponentChildren;
}

const groups = Object.keys(words.groups) as readonly (keyof typeof words.groups)[];

/** Everything that will not continue without a person, with the button that continues it. */
export function NeedsAttention(props: NeedsAttentionProps) {
  const [chosen, setChosen] = useState<keyof typeof words.groups>("all");
  const lines = linesOf(props, showToast);
  const shown = lines.filter(({ group }) => chosen === "all" || group === chosen);
  return (
    <section id="needs-attention" class="card stack" aria-labelledby="needs-attention-title">
      <div class="card-head">
        <h2 id="needs-attention-title">{words.title}</h2>
        {lines.length > 0 && (
          <fieldset class="choices">
            <legend class="hidden-visually">{words.title}</legend>
            {groups
              .filter((group) => group === "all" || lines.some((line) => line.group === group))
              .map((group) => (
                <button key={group} type="button" class="choice" aria-pressed={group === chosen} onClick={() => setChosen(group)}>
                  {words.groups[group]}
                </button>
              ))}
          </fieldset>
        )}
      </div>
      {lines.length === 0 ? (
        <p class="quiet">{words.nothing}</p>
      ) : (
        <ul class="needs-attention">
          {shown.map(({ key, glyph, tone, title, to, text, people, action }) => (
            <li key={key}>
              <GlyphBox name={glyph} tone={tone} />
              <div class="needs-words">
                <Link to={to}>{cut(title)}</Link>
                {text !== "" && <span class="quiet small">{text}</span>}
              </div>
              {people}
              {action}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const atEnvelope = ({ envelope_id }: AttentionEnvelope): string => `/envelopes/${envelope_id}`;

function linesOf({ of, figures, days, custody, onChanged }: NeedsAttentionProps, tell: (message: string) => void): readonly Line[] {
  const mine = of.waiting_for_me?.items ?? [];
  const isMine = ({ envelope_id }: AttentionEnvelope) => mine.some((one) => one.envelope_id === envelope_id);
  const ended = (what: "declined" | "expired") => figures?.days.reduce((sum, day) => sum + day[what], 0) ?? 0;
  const failed = of.failed_deliveries;
  const failing = figures?.webhooks.failing ?? 0;
  const lineOf = (one: AttentionEnvelope, line: Omit<Line, "key" | "title" | "to" | "people">): Line => ({
    ...line,
    key: `${line.group} ${one.envelope_id}`,
    title: one.envelope_name,
    to: atEnvelope(one),
    people: <Avatars people={one.recipients} isAsked={one.sent_at !== null} />,
  });
  return [
    ...mine.map((one) =>
      lineOf(one, {
        group: "you",
        glyph: "pencil",
        tone: "accent",
        text: words.act(one.expires_at === null ? "" : fromNow(one.expires_at)),
        action: <Sign of={one} />,
      }),
    ),
    ...(custody === 0 ? [] : [counted("you", "custody", "accent", words.custody(String(custody)), "", "/custody", words.review)]),
    ...of.undelivered.items.map((one) =>
      lineOf(one, {
        group: "problems",
        glyph: "warning",
        tone: "bad",
        text: words.undelivered(one.person?.email ?? ""),
        action: (
          <Link to={atEnvelope(one)} class="button" aria-label={words.fixOne(one.envelope_name)}>
            {words.fix}
          </Link>
        ),
      }),
    ),
    ...(failed === null || failed.count === 0
      ? []
      : [counted("problems", "hook", "bad", words.deliveries(countText(failed)), words.deliveriesHint, "/webhooks", words.open)]),
    ...(failed === null || failing === 0
      ? []
      : [counted("problems", "hook", "bad", words.failing(failing), words.failingHint, "/webhooks", words.open)]),
    ...(ended("declined") === 0
      ? []
      : [
          counted(
            "problems",
            "cross",
            "bad",
            words.declined(String(ended("declined")), days),
            "",
            "/envelopes?status=declined",
            words.open,
          ),
        ]),
    ...(ended("expired") === 0
      ? []
      : [counted("problems", "clock", "bad", words.expired(String(ended("expired")), days), "", "/envelopes?status=expired", words.open)]),
    ...of.expiring_soon.items
      .filter((one) => !isMine(one))
      .map((one) =>
        lineOf(one, {
          group: "others",
          glyph: "clock",
          tone: "caution",
          text: words.expires(waitedFor(one), one.expires_at === null ? "" : fromNow(one.expires_at)),
          action: <Remind of={one} onDone={tell} onChanged={onChanged} />,
        }),
      ),
    ...of.drafts.items.map((one) =>
      lineOf(one, {
        group: "drafts",
        glyph: "page",
        tone: "plain",
        text: words.draft(one.recipient_count),
        action: may("envelopes:write") && (
          <Link to={`${atEnvelope(one)}/prepare`} class="button" aria-label={words.resumeOne(one.envelope_name)}>
            {words.resume}
          </Link>
        ),
      }),
    ),
  ];
}

/** Their names, if all of them are known. */
const waitedFor = ({ recipients, recipient_count }: AttentionEnvelope): string =>
  recipient_count > recipients.length ? "" : namesOf(recipients.filter(isWaitedFor));

const isWaitedFor = ({ kind, status }: AttentionEnvelope["recipients"][number]): boolean =>
  kind !== "cc" && (status === "pending" || status === "viewed" || status === "locked");

const counted = (group: Group, glyph: GlyphName, tone: GlyphTone, title: string, text: string, to: string, button: string): Line => ({
  key: title,
  group,
  glyph,
  tone,
  title,
  to,
  text,
  action: (
    <Link to={to} class="button" aria-label={`${button}: ${title}`}>
      {button}
    </Link>
  ),
});

/** Opens the page on which the user acts. */
function Sign({ of }: { of: AttentionEnvelope }) {
  const sending = useSending();
  if (!may("envelopes:write")) return null;
  const sign = async () => {
    const { recipients } = await call("list_recipients", { params: { envelope_id: of.envelope_id } });
    const own = recipients.find(({ email, slug }) => slug !== null && email.toLowerCase() === me().user.email.toLowerCase());
    if (own?.slug != null) await openTask(of.envelope_id, own.slug);
  };
  return (
    <span>
      <ActionButton sending={sending} kind="primary" label={words.signOne(of.envelope_name)} onAction={sign}>
        {words.sign}
      </ActionButton>
      <ErrorNotice error={sending.error} />
    </span>
  );
}

interface RemindProps {
  readonly of: AttentionEnvelope;
  readonly onDone: (message: string) => void;
  readonly onChanged: () => Promise<void>;
}

function Remind({ of, onDone, onChanged }: RemindProps) {
  const sending = useSending();
  if (!may("envelopes:write")) return null;
  const remind = async () => {
    const { reminded } = await call("remind_signers", { params: { envelope_id: of.envelope_id }, body: {} });
    onDone(reminded.length === 0 ? words.noneReminded(of.envelope_name) : words.reminded(reminded.length, of.envelope_name));
    await onChanged();
  };
  return (
    <span>
      <ActionButton sending={sending} label={words.remindOne(of.envelope_name)} onAction={remind}>
        {words.remind}
      </ActionButton>
      <ErrorNotice error={sending.error} />
    </span>
  );
}
