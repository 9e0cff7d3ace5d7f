import { useEffect, useState } from "preact/hooks";
import { ErrorNotice, Screen } from "./parts.tsx";
import { hrefOf, place } from "./route.ts";
import { LogIn } from "./screens/log-in.tsx";
import { Original } from "./screens/original.tsx";
import { Originals } from "./screens/originals.tsx";
import { Paper } from "./screens/paper.tsx";
import { Record } from "./screens/record.tsx";
import { Records } from "./screens/records.tsx";
import { Request } from "./screens/request.tsx";
import { Requests } from "./screens/requests.tsx";
import { Security } from "./screens/security.tsx";
import { isEnded, person, token } from "./session.ts";
import { resume, startError } from "./visit.ts";

export function App() {
  const isIn = person.value !== null;
  return (
    <div class="party">
      <header class="party-bar">
        <p class="brand">Countersign</p>
        {isIn && !isEnded.value && <Menu />}
      </header>
      <main class="party-main">
        <Offline />
        {isEnded.value && <LogIn isAgain />}
        {isIn ? (
          // Kept while the person logs in again, so that what they typed is not lost.
          <div hidden={isEnded.value}>
            <Current />
          </div>
        ) : (
          <Outside />
        )}
      </main>
    </div>
  );
}

const entries = [
  ["requests", "Requests"],
  ["records", "Records"],
  ["originals", "Originals"],
  ["security", "Security"],
] as const;

function Menu() {
  const { screen } = place.value;
  const current = { request: "requests", record: "records", original: "originals", paper: "originals" }[screen as string] ?? screen;
  return (
    <nav class="party-menu" aria-label="Parts of this page">
      {entries.map(([name, words]) => (
        <a key={name} href={hrefOf(name)} aria-current={current === name ? "page" : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}

function Outside() {
  if (token.value === null) return <LogIn />;
  return <ErrorNotice error={startError.value} onRetry={resume} />;
}

function Current() {
  const at = place.value;
  if (at.screen === "requests") return <Requests />;
  if (at.screen === "records") return <Records />;
  if (at.screen === "originals") return <Originals />;
  if (at.screen === "original") return <Original key={at.export_id} export_id={at.export_id} />;
  if (at.screen === "paper") return <Paper key={at.ending_id} ending_id={at.ending_id} />;
  if (at.screen === "security") return <Security />;
  if (at.screen === "request") return <Request key={at.act_id} act_id={at.act_id} />;
  if (at.screen === "record") return <Record key={at.envelope_id} envelope_id={at.envelope_id} />;
  return (
    <Screen title="Page not found" lead="The address is wrong or incomplete. Open the link in the e-mail again.">
      <p>
        <a href={hrefOf("requests")}>All requests</a>
      </p>
    </Screen>
  );
}

function Offline() {
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return (
    <div class="party-status" role="status">
      {!isOnline && <p class="notice">You are offline. Nothing can be loaded or decided until you are connected again.</p>}
    </div>
  );
}
