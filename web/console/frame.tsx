import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { version } from "./boot.ts";
import { canOpen, startOf } from "./can-open.ts";
import { Link } from "./link.tsx";
import { isOffered, menu } from "./menu.ts";
import { canLeave, path } from "./navigation.ts";
import { Bell } from "./notifications/bell.tsx";
import { ErrorNotice } from "./parts/error-notice.tsx";
import { Glyph } from "./parts/glyph.tsx";
import { lazy } from "./parts/lazy.tsx";
import { routeOf } from "./routes.ts";
import { opened } from "./search/opened.ts";
import { useSending } from "./sending.ts";
import { isTest, logOut, me } from "./session.ts";
import { Shortcuts, searchKeys } from "./shortcuts.tsx";
import { useWhenChanged } from "./when-changed.ts";
import { en as frame } from "./words/frame/en.ts";
import { en as words } from "./words/shortcuts/en.ts";

const OtherOrgs = lazy(async () => (await import("./other-orgs.tsx")).OtherOrgs);
// Without the count, the link still works.
const FailedCount = lazy(
  async () => (await import("./problems/failed-count.tsx")).FailedCount,
  () => null,
);

/** The frame around every screen, with the menu at the side. On a phone, a button opens the menu. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const at = path.value;
  useWhenChanged(at, () => setOpen(false));
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}>
        {frame.skip}
      </button>
      <header class="frame-bar">
        <Link to={startOf()} class="brand">
          {frame.product}
        </Link>
        <button
          type="button"
          class="button quiet frame-search"
          aria-label={words.button}
          aria-haspopup="dialog"
          onClick={() => (opened.value = "search")}
        >
          <Glyph name="search" />
        </button>
        <button type="button" class="button quiet" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
          {frame.menu}
        </button>
      </header>
      <div id="menu" class={isOpen ? "side open" : "side"}>
        <Link to={startOf()} class="brand">
          {frame.product}
        </Link>
        <UserMenu />
        <button type="button" class="side-search" aria-haspopup="dialog" onClick={() => (opened.value = "search")}>
          <Glyph name="search" />
          <span>
            {words.search}
            <span class="hidden-visually"> {words.everything}</span>
          </span>
          <span class="side-keys" aria-hidden="true">
            {searchKeys()}
          </span>
        </button>
        {canOpen("/notifications") && <Bell />}
        <Menu />
        <p class="side-foot quiet small">
          <a href="/docs" target="_blank" rel="noopener">
            {frame.reference}
          </a>
          {version !== "" && ` · ${version}`}
        </p>
      </div>
      <main class="content">
        {isTest() && (
          <p class="test-data">
            <strong>{frame.testData}</strong>
            {frame.testDataLead}
          </p>
        )}
        {children}
      </main>
      <Shortcuts />
      {/* See parts/toast.tsx. */}
      <div id="toasts" class="toasts" role="status" />
    </div>
  );
}

const offered = () =>
  menu.map(({ name, entries }) => ({ name, entries: entries.filter(isOffered) })).filter(({ entries }) => entries.length > 0);

function Menu() {
  const current = routeOf(path.value)?.route.menu;
  return (
    <nav class="menu" aria-label={frame.console}>
      {offered().map(({ name, entries }) => (
        <div key={name ?? ""}>
          {name !== null && <p class="menu-group">{name}</p>}
          <ul>
            {entries.map(({ to, name: entry, glyph }) => (
              <li key={to}>
                <Link to={to} aria-current={current === to ? "page" : undefined}>
                  <Glyph name={glyph} />
                  {entry}
                  {to === "/problems" && <FailedCount />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The organization and the user, with links to switch, open the account and sign out. */
function UserMenu() {
  const { user, org, role } = me();
  const sending = useSending();
  const [isOpen, setOpen] = useState(false);
  const leave = async () => {
    if (canLeave("/")) await logOut();
  };
  return (
    <details class="who" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="who-org">{org.name}</span>
        <span class="quiet small">
          {user.name}, {role.replace("_", " ")}
        </span>
      </summary>
      <div class="who-acts">
        {isOpen && <OtherOrgs />}
        {canOpen("/sandboxes") && (
          <Link to="/sandboxes" class="button quiet">
            {frame.sandboxes}
          </Link>
        )}
        <Link to="/account" class="button quiet">
          {frame.account}
        </Link>
        <button type="button" class="button quiet" onClick={() => void sending.run(leave)}>
          {frame.signOut}
        </button>
        <ErrorNotice error={sending.error} />
      </div>
    </details>
  );
}
