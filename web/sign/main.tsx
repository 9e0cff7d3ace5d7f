import { render } from "preact";
import { start } from "./actions.ts";
import { App } from "./app.tsx";
import { tellInterrupted } from "./send-signature.ts";
import { watch } from "./watch.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
// In a task of its own: running this script and laying out the page together would block a phone.
setTimeout(() => render(<App />, root));
watch();
void start().then(tellInterrupted);
