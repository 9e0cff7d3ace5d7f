import "./boot.ts";
import { render } from "preact";
import { AccountCard } from "./account/card.tsx";
import { App } from "./app.tsx";
import { resume } from "./session.ts";
import { en as words } from "./words/frame/en.ts";
import { en as parts } from "./words/parts/en.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
const place = root;

function NotResponding() {
  return (
    <AccountCard title={words.notResponding} lead={words.notRespondingLead}>
      <button type="button" class="button primary" onClick={() => void start()}>
        {parts.error.again}
      </button>
    </AccountCard>
  );
}

async function start(): Promise<void> {
  render(<App />, place);
  await resume().catch(() => render(<NotResponding />, place));
}

void start();
