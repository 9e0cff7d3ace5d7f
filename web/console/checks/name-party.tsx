import { useState } from "preact/hooks";
import { lazy } from "../parts/lazy.tsx";
import { en as words } from "../words/checks/en.ts";
import type { NamePartyProps } from "./party-dialog.tsx";

const PartyDialog = lazy(async () => (await import("./party-dialog.tsx")).PartyDialog);

/** The remedy of the last check: a button that opens the form. An open form stays if the page learns meanwhile that a party is named. */
export function NameParty({ isOffered, ...props }: NamePartyProps & { readonly isOffered: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOffered && (
        <div class="buttons">
          <button type="button" class="button primary" onClick={() => setOpen(true)}>
            {words.nameParty}
          </button>
        </div>
      )}
      {isOpen && <PartyDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
