import { useEffect } from "preact/hooks";
import { Link } from "../link.tsx";
import { path } from "../navigation.ts";
import { useInterval } from "../use-load.ts";
import { countUnread, unread } from "./unread.ts";

const POLL_SECONDS = 30;

/** The way to the notifications, with how many are unread. */
export function Bell() {
  useEffect(() => void countUnread(), []);
  useInterval(POLL_SECONDS, () => void countUnread());
  const count = unread.value ?? 0;
  return (
    <Link to="/notifications" class="bell" aria-current={path.value === "/notifications" ? "page" : undefined}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10 20h4" />
      </svg>
      Notifications
      {count > 0 && (
        <span class="bell-count">
          {count > 99 ? "99+" : count}
          <span class="hidden-visually"> unread</span>
        </span>
      )}
    </Link>
  );
}
