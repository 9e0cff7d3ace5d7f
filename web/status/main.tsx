import { render } from "preact";
import { App } from "./app.tsx";
import type { Status } from "./status.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
const { status } = JSON.parse(document.getElementById("boot")?.textContent ?? "null") as { readonly status: Status | null };
render(<App found={status} />, root);
