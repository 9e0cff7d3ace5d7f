import { useEffect } from "preact/hooks";
import { Link } from "../link.tsx";
import { path } from "../navigation.ts";
import { Glyph } from "../parts/glyph.tsx";
import { useInterval } from "../use-load.ts";
import { en as words } from "../words/frame/en.ts";
import { countUnread, unread } from "./unread.ts";

const POLL_SECONDS = 30;

/** The way to the notifications, with how many are unread. */
export function Bell() {
  useEffect(() => void countUnread(), []);
  useInterval(POLL_SECONDS, () => void countUnread());
  const count = unread.value ?? 0;
  return (
    <Link to="/notifications" class="bell" aria-current={path.value === "/notifications" ? "page" : undefined}>
      <Glyph name="bell" />
      {words.notifications}
      {count > 0 && (
        <span class="bell-count">
          {count > 99 ? "99+" : count}
          <span class="hidden-visually">{words.unread}</span>
        </span>
      )}
    </Link>
  );
}
