import "./boot.ts";
import { render } from "preact";
import { AccountCard } from "./account/card.tsx";
import { App } from "./app.tsx";
import { resume } from "./session.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
const place = root;

function NotResponding() {
  return (
    <AccountCard title="Countersign is not responding" lead="Check your network connection.">
      <button type="button" class="button primary" onClick={() => void start()}>
        Try again
      </button>
    </AccountCard>
  );
}

async function start(): Promise<void> {
  render(<App />, place);
  await resume().catch(() => render(<NotResponding />, place));
}

void start();
