import { render } from "preact";
import { loadTheme } from "../load-theme.ts";
import { App } from "./app.tsx";
import { form } from "./visit.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
if (form !== null) void loadTheme(form.branding);
render(<App />, root);
