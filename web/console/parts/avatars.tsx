import type { AttentionRecipient } from "@countersign/client/types";
import { en as words } from "../words/avatars/en.ts";
import { Avatar, type Standing } from "./avatar.tsx";

const standings: Record<AttentionRecipient["status"], Standing> = {
  signed: "done",
  approved: "done",
  confirmed: "done",
  delivered: "done",
  declined: "refused",
  cancelled: "refused",
  locked: "refused",
  viewed: "waiting",
  pending: "waiting",
};

/** The people of an envelope, each with a badge of their state. `isAsked` is false for a draft: no one has been asked yet. */
export function Avatars({ people, isAsked = true }: { people: readonly AttentionRecipient[]; isAsked?: boolean }) {
  return (
    <span class="avatars">
      {people.map(({ name, kind, status }, index) => {
        const standing = !isAsked || (kind === "cc" && status === "pending") ? "later" : standings[status];
        return (
          <Avatar key={index} name={name} standing={standing} label={isAsked ? words.person(name, words.standings[standing]) : name} />
        );
      })}
    </span>
  );
}
