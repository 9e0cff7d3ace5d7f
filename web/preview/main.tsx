import "./boot.ts";
import { render } from "preact";
import type * as real from "../session.ts";
import { start } from "../sign/actions.ts";
import { App } from "../sign/app.tsx";
import { onSaveError } from "../sign/autosave.ts";
import { requirement } from "../sign/ceremony.ts";
import { requirement as sentence } from "../sign/requirement.ts";
import { showTrouble } from "../trouble.ts";
import * as session from "./session.ts";

void (session satisfies typeof real);

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no #app element");
if (window.parent.previewSource === undefined) root.textContent = "This page shows a preview in the console.";
else {
  requirement.value = sentence;
  onSaveError(showTrouble);
  render(<App />, root);
  void start();
}
