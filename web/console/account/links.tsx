import { ApiError } from "../../http.ts";
import { Link } from "../link.tsx";
import { en } from "../words/open-links/en.ts";
import { AccountCard } from "./card.tsx";

export const IncompleteLink = () => (
  <AccountCard title={en.incomplete.title} lead={en.incomplete.lead}>
    <p>
      <Link to="/login">{en.logIn}</Link>
    </p>
  </AccountCard>
);

/** Whether the link itself was rejected: used, expired, revoked or unknown. Errors that can be corrected on the page have details. */
export function isBroken(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 409 || error.status === 422) && error.details.length === 0;
}

export function BrokenLink({ error, again }: { error: ApiError; again: string }) {
  return (
    <AccountCard title={en.broken} lead={error.message}>
      <p>{again}</p>
      <p>
        <Link to="/login">{en.logIn}</Link>
      </p>
    </AccountCard>
  );
}
