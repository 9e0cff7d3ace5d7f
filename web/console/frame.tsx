import type { Membership } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "./api.ts";
import { version } from "./boot.ts";
import { canOpen, startOf } from "./can-open.ts";
import { Link } from "./link.tsx";
import { menu } from "./menu.ts";
import { canLeave, navigate, path } from "./navigation.ts";
import { Bell } from "./notifications/bell.tsx";
import { ErrorNotice } from "./parts/error-notice.tsx";
import { Glyph } from "./parts/glyph.tsx";
import { routeOf } from "./routes.ts";
import { opened } from "./search/opened.ts";
import { useSending } from "./sending.ts";
import { logOut, me, switchOrg } from "./session.ts";
import { Shortcuts, searchKeys } from "./shortcuts.tsx";
import { useWhenChanged } from "./when-changed.ts";
import { en as words } from "./words/shortcuts/en.ts";

/** The frame around every screen, with the menu at the side. On a phone, a button opens the menu. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const at = path.value;
  useWhenChanged(at, () => setOpen(false));
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main h1")?.focus()}>
        Skip to content
      </button>
      <header class="frame-bar">
        <Link to={startOf()} class="brand">
          Countersign
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
          Menu
        </button>
      </header>
      <div id="menu" class={isOpen ? "side open" : "side"}>
        <Link to={startOf()} class="brand">
          Countersign
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
            API reference
          </a>
          {version !== "" && ` · ${version}`}
        </p>
      </div>
      <main class="content">{children}</main>
      <Shortcuts />
    </div>
  );
}

const offered = () =>
  menu.map(({ name, entries }) => ({ name, entries: entries.filter(({ to }) => canOpen(to)) })).filter(({ entries }) => entries.length > 0);

function Menu() {
  const current = routeOf(path.value)?.route.menu;
  return (
    <nav class="menu" aria-label="Console">
      {offered().map(({ name, entries }) => (
        <div key={name ?? ""}>
          {name !== null && <p class="menu-group">{name}</p>}
          <ul>
            {entries.map(({ to, name: entry, glyph }) => (
              <li key={to}>
                <Link to={to} aria-current={current === to ? "page" : undefined}>
                  <Glyph name={glyph} />
                  {entry}
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
  const [orgs, setOrgs] = useState<readonly Membership[]>([]);
  const lookUpOrgs = async () => setOrgs((await call("get_me")).orgs);
  const change = async (org_id: string) => {
    if (!canLeave("/")) return;
    await switchOrg(org_id);
    navigate("/");
  };
  const leave = async () => {
    if (canLeave("/")) await logOut();
  };
  return (
    <details class="who" onToggle={(event) => event.currentTarget.open && void sending.run(lookUpOrgs)}>
      <summary>
        <span class="who-org">{org.name}</span>
        <span class="quiet small">
          {user.name}, {role}
        </span>
      </summary>
      <div class="who-acts">
        {orgs
          .filter(({ org_id }) => org_id !== org.org_id)
          .map(({ org_id, name }) => (
            <button key={org_id} type="button" class="button quiet" onClick={() => void sending.run(() => change(org_id))}>
              Switch to {name}
            </button>
          ))}
        <Link to="/account" class="button quiet">
          Your account
        </Link>
        <button type="button" class="button quiet" onClick={() => void sending.run(leave)}>
          Sign out
        </button>
        <ErrorNotice error={sending.error} />
      </div>
    </details>
  );
}
