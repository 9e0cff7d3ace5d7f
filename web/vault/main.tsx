import { render } from "preact";
import { App } from "./app.tsx";
import { start } from "./load-record.ts";
import { watch } from "./watch.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
render(<App />, root);
watch();
void start();
