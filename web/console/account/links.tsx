import { ApiError } from "../../http.ts";
import { Link } from "../link.tsx";
import { AccountCard } from "./card.tsx";

export const IncompleteLink = () => (
  <AccountCard title="This link is incomplete" lead="Open the complete link again, exactly as you received it.">
    <p>
      <Link to="/login">Log in</Link>
    </p>
  </AccountCard>
);

/** Whether the link itself was rejected: used, expired, revoked or unknown. Errors that can be corrected on the page have details. */
export function isBroken(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 409 || error.status === 422) && error.details.length === 0;
}

export function BrokenLink({ error, again }: { error: ApiError; again: string }) {
  return (
    <AccountCard title="This link does not work" lead={error.message}>
      <p>{again}</p>
      <p>
        <Link to="/login">Log in</Link>
      </p>
    </AccountCard>
  );
}
