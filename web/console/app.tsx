import { useEffect } from "preact/hooks";
import { AccountCard } from "./account/card.tsx";
import { canOpen, startOf } from "./can-open.ts";
import { Frame } from "./frame.tsx";
import { LogInAgain } from "./log-in-again.tsx";
import { navigate, path, query } from "./navigation.ts";
import { lazy } from "./parts/lazy.tsx";
import { Screen } from "./parts/screen.tsx";
import { Skeleton } from "./parts/skeleton.tsx";
import { type Found, fetchScreen, routeOf, screenOf } from "./routes.ts";
import { isEnded, otherSession, question, session } from "./session.ts";
import { en as words } from "./words/frame/en.ts";
import { en as shortcuts } from "./words/shortcuts/en.ts";

const IdentityDialog = lazy(async () => (await import("./account/identity-dialog.tsx")).IdentityDialog);
const NotFound = lazy(async () => (await import("./not-found.tsx")).NotFound);
const OtherSession = lazy(async () => (await import("./other-session.tsx")).OtherSession);

export function App() {
  const found = routeOf(path.value);
  const isOpen = found?.route.open ?? false;
  const isKnown = session.value !== undefined;
  const isIn = isKnown && session.value !== null;
  useEffect(() => {
    if (isKnown && !isIn && !isOpen) navigate(`/login${returnQuery()}`, { replace: true });
    if (isIn && (path.value === "/login" || (path.value === "/" && startOf() !== "/"))) navigate(startOf(), { replace: true });
  }, [isKnown, isIn, isOpen, path.value]);
  useEffect(() => (isOpen ? whenTyping(fetchNext) : undefined), [isOpen]);
  if (found !== null && isOpen) {
    return (
      <>
        <RouteView {...found} />
        <Asked />
      </>
    );
  }
  if (!isIn) return null;
  // The key replaces the whole page when the organization changes, so that nothing of the previous one remains.
  return (
    <Frame key={session.value?.org.org_id}>
      {found === null || !canOpen(path.value) ? <NotFound /> : <RouteView key={path.value} {...found} />}
      <Asked />
      <Dialogs />
    </Frame>
  );
}

/** Over the page, where the user's entries wait. */
function Dialogs() {
  if (isEnded.value) return <LogInAgain />;
  return otherSession.value && <OtherSession other={otherSession.value} />;
}

/** A dialog over the page, on which the action of the user waits. */
const Asked = () => question.value && <IdentityDialog question={question.value} />;

function whenTyping(act: () => void): () => void {
  addEventListener("input", act, { once: true });
  return () => removeEventListener("input", act);
}

/** Loads the code of the next screen while the person types, so that it is there after the log-in. */
function fetchNext(): void {
  const [next = "/"] = (query.peek().get("next") ?? "/").split("?", 1);
  const found = routeOf(next);
  if (found !== null) void fetchScreen(found.route);
}

/** The page to return to after logging in. */
function returnQuery(): string {
  const search = query.peek().toString();
  const was = path.peek() + (search === "" ? "" : `?${search}`);
  return was === "/" ? "" : `?${new URLSearchParams({ next: was })}`;
}

function RouteView({ route, params }: Found) {
  useEffect(() => {
    const fetch = () => void fetchScreen(route);
    fetch();
    addEventListener("online", fetch);
    return () => removeEventListener("online", fetch);
  }, [route]);
  const loaded = screenOf(route).value;
  if (loaded.kind === "ready") return <loaded.View params={params} />;
  if (loaded.kind === "loading") return route.open ? null : <Skeleton />;
  // Inside the frame it is a screen, otherwise a page of its own.
  const Place = route.open ? AccountCard : Screen;
  return (
    <Place title={words.notLoaded} lead={words.notLoadedLead}>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        {shortcuts.reload}
      </button>
    </Place>
  );
}
