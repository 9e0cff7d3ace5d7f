import { Refusal } from "../../http.ts";
import { Link } from "../link.tsx";
import { AccountCard } from "./card.tsx";

export const IncompleteLink = () => (
  <AccountCard title="This link is incomplete" lead="Open it again exactly as it was printed or mailed.">
    <p>
      <Link to="/login">Sign in</Link>
    </p>
  </AccountCard>
);

/** The link itself is refused: used, ended, revoked, or never given. What can be mended on the page is said with details. */
export function isBroken(error: unknown): error is Refusal {
  return error instanceof Refusal && (error.status === 409 || error.status === 422) && error.details.length === 0;
}

export function BrokenLink({ error, again }: { error: Refusal; again: string }) {
  return (
    <AccountCard title="This link does not work" lead={error.message}>
      <p>{again}</p>
      <p>
        <Link to="/login">Sign in</Link>
      </p>
    </AccountCard>
  );
}
