import { useEffect } from "preact/hooks";
import { AccountCard } from "./account/card.tsx";
import { Again } from "./again.tsx";
import { Frame } from "./frame.tsx";
import { Link } from "./link.tsx";
import { Screen } from "./parts/screen.tsx";
import { Skeleton } from "./parts/table.tsx";
import { go, path, query } from "./place.ts";
import { type Found, fetchScreen, routeOf, screenOf } from "./routes.ts";
import { session } from "./session.ts";

export function App() {
  const found = routeOf(path.value);
  const isOpen = found?.route.open ?? false;
  const isKnown = session.value !== undefined;
  const isIn = isKnown && session.value !== null;
  useEffect(() => {
    if (isKnown && !isIn && !isOpen) go(`/login${wayBack()}`, { replace: true });
    if (isIn && path.value === "/login") go("/", { replace: true });
  }, [isKnown, isIn, isOpen, path.value]);
  if (found !== null && isOpen) return <Shown {...found} />;
  if (!isIn) return null;
  // The key replaces the whole page when the organization changes, so that nothing of the previous one remains.
  return (
    <Frame key={session.value?.org.org_id}>
      {found === null ? <Nowhere /> : <Shown key={path.value} {...found} />}
      <Again />
    </Frame>
  );
}

/** The page to return to after signing in. */
function wayBack(): string {
  const search = query.peek().toString();
  const was = path.peek() + (search === "" ? "" : `?${search}`);
  return was === "/" ? "" : `?${new URLSearchParams({ next: was })}`;
}

function Shown({ route, parts }: Found) {
  useEffect(() => void fetchScreen(route), [route]);
  const loaded = screenOf(route).value;
  if (loaded.kind === "ready") return <loaded.View parts={parts} />;
  if (loaded.kind === "loading") return route.open ? null : <Skeleton />;
  return (
    <AccountCard title="This page could not be loaded" lead="Your network may be down, or Countersign was just upgraded.">
      <button type="button" class="button primary" onClick={() => location.reload()}>
        Reload page
      </button>
    </AccountCard>
  );
}

function Nowhere() {
  return (
    <Screen title="Page not found" lead="The address is wrong, or what it points to no longer exists.">
      <p>
        <Link to="/">Go to Home</Link>
      </p>
    </Screen>
  );
}
