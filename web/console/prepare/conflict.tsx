import { useEffect, useRef } from "preact/hooks";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/prepare/en.ts";

interface ConflictProps {
  /** the user asked to save; otherwise they may be typing */
  readonly takesFocus: boolean;
  readonly onOther: () => Promise<void>;
  readonly onOwn: () => Promise<void>;
}

/** Asks which version counts. Nothing is saved or lost until the user decides. */
export function Conflict({ takesFocus, onOther, onOwn }: ConflictProps) {
  const sending = useSending();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) notice.current?.focus();
  }, [takesFocus]);
  return (
    <div class="notice bad stack tight" role="alert" ref={notice} tabIndex={-1}>
      <p>{words.conflict.text}</p>
      <div class="buttons">
        <ActionButton sending={sending} onAction={onOther}>
          {words.conflict.other}
        </ActionButton>
        <ActionButton sending={sending} onAction={onOwn}>
          {words.conflict.own}
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </div>
  );
}
