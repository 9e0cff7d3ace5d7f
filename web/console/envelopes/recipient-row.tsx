import type { Recipient, Signer } from "@countersign/client/types";
import { mail } from "../boot.ts";
import { Avatar } from "../parts/avatar.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Chip } from "../parts/chip.tsx";
import { cut } from "../parts/cut.tsx";
import { languageOf } from "../parts/languages.ts";
import { fromNow } from "../parts/when.tsx";
import type { Sending } from "../sending.ts";
import { me } from "../session.ts";
import { en as words } from "../words/recipients/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { isWaiting } from "./at-turn.ts";
import { ownTurn } from "./own-turn.ts";
import { mailText } from "./progress.ts";
import type { RecipientAction } from "./recipient-actions.ts";
import { standingOf, stateOf } from "./state-of.ts";
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
  const isOwn = ownTurn(envelope, data.recipients) === recipient;
  const [tone, text] = isDiscarded(envelope) ? (["plain", words.neverAsked] as const) : stateOf(recipient, isAtTurn, isOwn);
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
          <strong>{cut(name)}</strong>{" "}
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
        {paper !== null && <p class="quiet small">{words.asksForPaper(fromNow(paper))}</p>}
      </div>
      {isLive && <Acts {...props} />}
    </li>
  );
}

function Acts({ recipient, data, isAtTurn, sending, onRemind, onReset, onOpen, onAsk }: RecipientRowProps) {
  const { kind, name, email, status, delivery } = recipient;
  const isMine = email.toLowerCase() === me().user.email.toLowerCase();
  const isTask = kind !== "cc";
  return (
    <div class="buttons envelope-signer-acts">
      {isAtTurn && isMine && (
        <ActionButton sending={sending} onAction={onOpen}>
          {kind === "signer" ? words.signNow : words.openNow}
        </ActionButton>
      )}
      {isAtTurn && status !== "locked" && delivery === "email" && (
        <ActionButton sending={sending} label={words.remindOne(name)} onAction={onRemind}>
          {words.remind}
        </ActionButton>
      )}
      {status === "locked" && (
        <ActionButton sending={sending} label={words.unlockOne(name)} onAction={onReset}>
          {words.unlock}
        </ActionButton>
      )}
      <AskButton words={words.copyLink} label={words.copyLinkOf(name)} onPress={() => onAsk("link")} />
      <AskButton words={words.change} label={words.changeOne(name)} onPress={() => onAsk("change")} />
      {data.recipients.length > 1 && <AskButton words={words.remove} label={words.removeOne(name)} onPress={() => onAsk("remove")} />}
      {isTask && data.envelope.metadata.kba_required && (
        <AskButton words={words.setQuestions} label={words.questions(name)} onPress={() => onAsk("questions")} />
      )}
    </div>
  );
}

const AskButton = ({ words, label, onPress }: { words: string; label: string; onPress: () => void }) => (
  <button type="button" class="button" aria-label={label} onClick={onPress}>
    {words}
  </button>
);

function sinceText({ status, acted_at }: Recipient, details: Signer | null, mailed: string | null): string {
  const at = acted_at ?? details?.signed_at ?? details?.declined_at ?? null;
  if (at !== null) return fromNow(at);
  const viewed_at = details?.viewed_at ?? null;
  if (status === "viewed" && viewed_at !== null) return fromNow(viewed_at);
  return mailed ?? "";
}
