import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { blockLeaving } from "../navigation.ts";
import { en as words } from "../words/secret/en.ts";
import { Copy } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Checkbox } from "./field.tsx";

interface SecretProps {
  readonly title: string;
  readonly lead: string;
  readonly secret: string;
  /** what it is: "API key" */
  readonly what: string;
  readonly onClose: () => void;
  /** how to use it */
  readonly children?: ComponentChildren;
}

/** Shows a secret once. The dialog closes only after the user confirms that they stored it, and the secret leaves the page with it. */
export function SecretOnce({ title, lead, secret, what, onClose, children }: SecretProps) {
  const [isStored, setStored] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const close = () => (isStored ? onClose() : setAsked(true));
  const stored = useRef(isStored);
  stored.current = isStored;
  useEffect(
    () =>
      blockLeaving(() => {
        if (!stored.current) setAsked(true);
        return stored.current;
      }),
    [],
  );
  return (
    <Dialog title={title} onClose={close}>
      <p>{lead}</p>
      <div class="secret">
        <code>{secret}</code>
        <Copy text={secret} what={what} />
      </div>
      {children}
      <Checkbox label={words.stored} checked={isStored} onCheck={setStored} />
      <p class="error" role="status">
        {isAsked && !isStored ? words.notStored : ""}
      </p>
      <div class="buttons end">
        <button type="button" class="button primary" aria-disabled={!isStored} onClick={close}>
          {words.done}
        </button>
      </div>
    </Dialog>
  );
}
