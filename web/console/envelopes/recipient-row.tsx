import type { Recipient, RecipientStatus, Signer } from "@countersign/client/types";
import { mail } from "../boot.ts";
import { Avatar, type Standing } from "../parts/avatar.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { languageOf } from "../parts/languages.ts";
import { fromNow } from "../parts/when.tsx";
import type { Sending } from "../sending.ts";
import { me } from "../session.ts";
import { en as words } from "../words/recipients/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { isWaiting, mailText } from "./progress.ts";
import type { RecipientAction } from "./recipient-actions.ts";
import type { EnvelopeData } from "./use-envelope.ts";

interface RecipientRowProps {
  readonly recipient: Recipient;
  /** null for people who do not sign */
  readonly details: Signer | null;
  /** the step that begins with this row; null if none does */
  readonly step: number | null;
  readonly data: EnvelopeData;
  readonly isAtTurn: boolean;
  readonly sending: Sending;
  readonly onRemind: () => Promise<void>;
  readonly onReset: () => Promise<void>;
  readonly onOpen: () => Promise<void>;
  readonly onAsk: (act: RecipientAction) => void;
}

export function RecipientRow(props: RecipientRowProps) {
  const { recipient, details, step, data, isAtTurn } = props;
  const { envelope } = data;
  const { kind, name, email, role, slug, locale, delivery } = recipient;
  const isLive = isOpen(envelope.status) && slug !== null && (isWaiting(recipient) || (kind === "cc" && recipient.status === "pending"));
  const [tone, text] = isDiscarded(envelope) ? (["plain", words.neverAsked] as const) : shown(recipient, isAtTurn);
  const mailed = isAtTurn && delivery === "email" ? mailText({ ...data, isMailed: mail === "server" }, recipient) : null;
  const paper = details?.paper_requested_at ?? null;
  return (
    <li class="envelope-signer">
      {step !== null && (
        <p class="envelope-step">
          <strong>{words.step(step)}</strong>
        </p>
      )}
      <Avatar name={name} {...(!isDraft(envelope.status) && kind !== "cc" && { standing: standingOf(recipient, isAtTurn) })} />
      <div class="envelope-signer-who">
        <p>
          <strong>{name}</strong>{" "}
          <span class="quiet">{[kind === "signer" ? null : words.kinds[kind], role].filter((one) => one !== null).join(" · ")}</span>
        </p>
        <p class="quiet">
          {email}
          {locale !== null && ` · ${languageOf(locale)}`}
          {delivery === "link" && ` · ${words.byLink}`}
        </p>
      </div>
      <div class="envelope-signer-state">
        {!isDraft(envelope.status) && <Chip tone={tone}>{text}</Chip>}
        <p class="quiet small">{sinceText(recipient, details, mailed)}</p>
        {paper !== null && <p class="quiet small">Asked to sign on paper {fromNow(paper)}</p>}
      </div>
      {isLive && <Acts {...props} />}
    </li>
  );
}

function standingOf({ status }: Recipient, isAtTurn: boolean): Standing {
  if (status === "signed" || status === "approved" || status === "confirmed") return "done";
  if (status === "declined" || status === "locked") return "refused";
  return isAtTurn ? "waiting" : "later";
}

function Acts({ recipient, data, isAtTurn, sending, onRemind, onReset, onOpen, onAsk }: RecipientRowProps) {
  const { kind, name, email, status, delivery } = recipient;
  const isMine = email.toLowerCase() === me().user.email.toLowerCase();
  const isTask = kind !== "cc";
  return (
    <div class="buttons envelope-signer-acts">
      {isAtTurn && isMine && (
        <ActionButton sending={sending} onAction={onOpen} kind="primary">
          {kind === "signer" ? words.signNow : words.openNow}
        </ActionButton>
      )}
      {isAtTurn && status !== "locked" && delivery === "email" && (
        <ActionButton sending={sending} label={`Remind ${name}`} onAction={onRemind}>
          Remind
        </ActionButton>
      )}
      {status === "locked" && (
        <ActionButton sending={sending} label={`Unlock ${name}`} onAction={onReset}>
          Unlock
        </ActionButton>
      )}
      {isTask && <AskButton words="Copy link" label={`Copy link for ${name}`} onPress={() => onAsk("link")} />}
      <AskButton words={words.change} label={words.changeOne(name)} onPress={() => onAsk("change")} />
      {data.recipients.length > 1 && <AskButton words={words.remove} label={words.removeOne(name)} onPress={() => onAsk("remove")} />}
      {isTask && data.envelope.metadata.kba_required && (
        <AskButton words="Questions" label={`Questions for ${name}`} onPress={() => onAsk("questions")} />
      )}
    </div>
  );
}

const AskButton = ({ words, label, onPress }: { words: string; label: string; onPress: () => void }) => (
  <button type="button" class="button" aria-label={label} onClick={onPress}>
    {words}
  </button>
);

const tones: Record<Exclude<RecipientStatus, "pending">, Tone> = {
  signed: "good",
  approved: "good",
  confirmed: "good",
  delivered: "good",
  declined: "bad",
  locked: "bad",
  cancelled: "plain",
  viewed: "going",
};

function shown({ kind, status }: Recipient, isAtTurn: boolean): readonly [Tone, string] {
  if (kind === "approver" && status === "declined") return ["bad", words.rejected];
  if (status !== "pending") return [tones[status], words.statuses[status]];
  if (kind === "cc") return ["plain", words.getsResult];
  return isAtTurn ? ["waiting", words.theirTurn] : ["plain", words.notYet];
}

function sinceText({ status, acted_at }: Recipient, details: Signer | null, mailed: string | null): string {
  const at = acted_at ?? details?.signed_at ?? details?.declined_at ?? null;
  if (at !== null) return fromNow(at);
  const viewed_at = details?.viewed_at ?? null;
  if (status === "viewed" && viewed_at !== null) return fromNow(viewed_at);
  return mailed ?? "";
}
