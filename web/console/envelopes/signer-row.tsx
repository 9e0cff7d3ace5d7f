import type { Signer, SignerStatus } from "@countersign/client/types";
import { mail } from "../boot.ts";
import { ActionButton } from "../parts/button.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { languageOf } from "../parts/languages.ts";
import { fromNow } from "../parts/when.tsx";
import type { Sending } from "../sending.ts";
import { isDraft, isOpen } from "./api.ts";
import { isWaiting, mailText } from "./progress.ts";
import type { SignerAction } from "./signer-actions.ts";
import type { EnvelopeData } from "./use-envelope.ts";

interface SignerRowProps {
  readonly signer: Signer;
  readonly data: EnvelopeData;
  readonly isAtTurn: boolean;
  readonly sending: Sending;
  readonly onRemind: () => Promise<void>;
  readonly onReset: () => Promise<void>;
  readonly onAsk: (act: SignerAction) => void;
}

export function SignerRow({ signer, data, isAtTurn, sending, onRemind, onReset, onAsk }: SignerRowProps) {
  const { envelope } = data;
  const { name, email, role, order, status, slug, locale, paper_requested_at } = signer;
  const isLive = isOpen(envelope.status) && slug !== null;
  const [tone, words] = shown(signer, isAtTurn);
  const mailed = isAtTurn ? mailText({ ...data, isMailed: mail === "server" }, signer) : null;
  return (
    <li class="envelope-signer">
      <span class="envelope-signer-order" aria-hidden="true">
        {order}
      </span>
      <div class="envelope-signer-who">
        <p>
          <strong>{name}</strong> <span class="quiet">{role}</span>
        </p>
        <p class="quiet">
          {email}
          {locale !== null && ` · ${languageOf(locale)}`}
        </p>
      </div>
      <div class="envelope-signer-state">
        {!isDraft(envelope.status) && <Chip tone={tone}>{words}</Chip>}
        <p class="quiet small">{sinceText(signer, mailed)}</p>
        {paper_requested_at !== null && <p class="quiet small">Asked to sign on paper {fromNow(paper_requested_at)}</p>}
      </div>
      {isLive && isWaiting(signer) && (
        <div class="buttons envelope-signer-acts">
          {isAtTurn && status !== "locked" && (
            <ActionButton sending={sending} label={`Remind ${name}`} onAction={onRemind}>
              Remind
            </ActionButton>
          )}
          {status === "locked" && (
            <ActionButton sending={sending} label={`Unlock ${name}`} onAction={onReset}>
              Unlock
            </ActionButton>
          )}
          <AskButton words="Copy link" label={`Copy link for ${name}`} onPress={() => onAsk("link")} />
          {status === "pending" && <AskButton words="Correct" label={`Correct ${name}`} onPress={() => onAsk("correct")} />}
          {envelope.metadata.kba_required && (
            <AskButton words="Questions" label={`Questions for ${name}`} onPress={() => onAsk("questions")} />
          )}
        </div>
      )}
    </li>
  );
}

const AskButton = ({ words, label, onPress }: { words: string; label: string; onPress: () => void }) => (
  <button type="button" class="button" aria-label={label} onClick={onPress}>
    {words}
  </button>
);

const statuses: Record<Exclude<SignerStatus, "pending">, readonly [Tone, string]> = {
  signed: ["good", "Signed"],
  declined: ["bad", "Declined"],
  locked: ["bad", "Locked out"],
  cancelled: ["plain", "Did not sign"],
  viewed: ["going", "Opened"],
};

function shown({ status }: Signer, isAtTurn: boolean): readonly [Tone, string] {
  if (status !== "pending") return statuses[status];
  return isAtTurn ? ["waiting", "Their turn"] : ["plain", "Not their turn yet"];
}

function sinceText({ status, viewed_at, signed_at, declined_at }: Signer, mailed: string | null): string {
  const at = signed_at ?? declined_at;
  if (at !== null) return fromNow(at);
  if (status === "viewed" && viewed_at !== null) return fromNow(viewed_at);
  return mailed ?? "";
}
