import { may } from "../session.ts";
import { JustCompleted } from "./just-completed.tsx";
import { VaultCard } from "./vault-card.tsx";

/** The cards that Home loads after what needs attention is there. */
export function LateCards() {
  return (
    <>
      {may("vault:read") && <VaultCard />}
      <JustCompleted />
    </>
  );
}
