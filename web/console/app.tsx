import { useEffect } from "preact/hooks";
import { AccountCard } from "./account/card.tsx";
import { canOpen, startOf } from "./can-open.ts";
import { Frame } from "./frame.tsx";
import { Link } from "./link.tsx";
import { navigate, path, query } from "./navigation.ts";
import { Screen } from "./parts/screen.tsx";
import { Skeleton } from "./parts/table.tsx";
import { type Found, fetchScreen, routeOf, screenOf } from "./routes.ts";
import { session } from "./session.ts";
import { SessionDialogs } from "./session-dialogs.tsx";

export function App() {
  const found = routeOf(path.value);
  const isOpen = found?.route.open ?? false;
  const isKnown = session.value !== undefined;
  const isIn = isKnown && session.value !== null;
  useEffect(() => {
    if (isKnown && !isIn && !isOpen) navigate(`/login${returnQuery()}`, { replace: true });
    if (isIn && (path.value === "/login" || (path.value === "/" && startOf() !== "/"))) navigate(startOf(), { replace: true });
  }, [isKnown, isIn, isOpen, path.value]);
  if (found !== null && isOpen) return <RouteView {...found} />;
  if (!isIn) return null;
  // The key replaces the whole page when the organization changes, so that nothing of the previous one remains.
  return (
    <Frame key={session.value?.org.org_id}>
      {found === null || !canOpen(path.value) ? <NotFound /> : <RouteView key={path.value} {...found} />}
      <SessionDialogs />
    </Frame>
  );
}

/** The page to return to after logging in. */
function returnQuery(): string {
  const search = query.peek().toString();
  const was = path.peek() + (search === "" ? "" : `?${search}`);
  return was === "/" ? "" : `?${new URLSearchParams({ next: was })}`;
}

function RouteView({ route, params }: Found) {
  useEffect(() => void fetchScreen(route), [route]);
  const loaded = screenOf(route).value;
  if (loaded.kind === "ready") return <loaded.View params={params} />;
  if (loaded.kind === "loading") return route.open ? null : <Skeleton />;
  return (
    <AccountCard title="This page could not be loaded" lead="Your network may be down, or Countersign was just upgraded.">
      <button type="button" class="button primary" onClick={() => location.reload()}>
        Reload page
      </button>
    </AccountCard>
  );
}

function NotFound() {
  return (
    <Screen title="Page not found" lead="The address is wrong, what it points to no longer exists, or your role does not include it.">
      <p>
        <Link to={startOf()}>{startOf() === "/" ? "Go to Home" : "Go to the vaulted documents"}</Link>
      </p>
    </Screen>
  );
}
