// The page: a bundle and the hash of its root in, the ten lines of the command out. Nothing is sent, and nothing is kept.

import { verdictOf } from "../src/format-report.ts";
import { readRoot } from "../src/read-root.ts";
import { unzipBundle } from "../src/unzip-bundle.ts";
import { type Outcome, type Report, type StepReport, stepNames, verifyBundle } from "../src/verify-bundle.ts";

function element<T extends Element>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

const form = element<HTMLFormElement>("form");
const drop = element<HTMLElement>("#drop");
const bundle = element<HTMLInputElement>("#bundle");
const chosen = element<HTMLElement>("#chosen");
const root = element<HTMLInputElement>("#root");
const rootFault = element<HTMLElement>("#root-fault");
const result = element<HTMLElement>("#result");
const progress = element<HTMLElement>("#progress");

type Words = { readonly tone: "good" | "note" | "bad"; readonly stroke: string; readonly meaning: string };

const words: Record<Outcome, Words> = {
  VERIFIED: {
    tone: "good",
    stroke: "M6.5 12.5l3.7 3.7 7.3-8",
    meaning: "The bundle is genuine and unchanged, and comes from the installation whose root you entered.",
  },
  "CONSISTENT, SIGNER NOT PINNED": {
    tone: "note",
    stroke: "M12 6.5v7M12 17v.4",
    meaning: "Everything in the bundle agrees, but its author could have made its keys too. Enter the root's SHA-256 to know who made it.",
  },
  "TEST RECORD": {
    tone: "bad",
    stroke: "M12 6.5v7M12 17v.4",
    meaning: "This record was made in a sandbox, to try the service. It is not legally binding and proves nothing.",
  },
  FAILED: {
    tone: "bad",
    stroke: "M8 8l8 8M16 8l-8 8",
    meaning: "The bundle is not what it claims to be. The failed step says where; later steps were not run.",
  },
};

let file: File | null = null;
let runs = 0;

/** Null with a message at the field, if it is not a hash. */
function pinnedRoot(): { readonly root: string | null } | null {
  const given = root.value.trim();
  const read = given === "" ? null : readRoot(given);
  const isWrong = given !== "" && read === null;
  rootFault.textContent = isWrong ? "This is not a SHA-256 hash: it must have 64 hexadecimal digits." : "";
  root.setAttribute("aria-invalid", String(isWrong));
  return isWrong ? null : { root: read };
}

async function run(): Promise<void> {
  const pinned = pinnedRoot();
  if (file === null) {
    chosen.textContent = "Choose a bundle first.";
    bundle.focus();
    return;
  }
  if (pinned === null) {
    root.focus();
    return;
  }
  runs += 1;
  const own = runs;
  const read = file;
  progress.textContent = "Verifying…";
  form.setAttribute("aria-busy", "true");
  // Checking takes half a second or more, in which the browser cannot draw.
  await new Promise((resolve) => setTimeout(resolve));
  const bytes = new Uint8Array(await read.arrayBuffer());
  const report = await verifyBundle(() => unzipBundle(bytes), { root: pinned.root, tsa_roots: null });
  // Another bundle was chosen in the meantime.
  if (own !== runs) return;
  form.removeAttribute("aria-busy");
  show(report);
}

/** A copy that left is no fault of the bundle, and still the first thing to know. */
const LEFT = {
  tone: "note",
  meaning: `${words.VERIFIED.meaning} The authoritative copy has left that installation's vault; this bundle shows what it was, and that it left.`,
} as const;

function show(report: Report): void {
  const { outcome, steps, notes, left } = report;
  const { tone, stroke, meaning } = { ...words[outcome], ...(outcome === "VERIFIED" && left !== null && LEFT) };
  const verdict = verdictOf(report);
  result.className = tone;
  element("#verdict").textContent = verdict;
  element("#meaning").textContent = meaning;
  element("#result path").setAttribute("d", stroke);
  const open = stepNames.slice(steps.length).map((name, index) => waiting(steps.length + index + 1, name));
  element("#steps").replaceChildren(...steps.map(lineOf), ...open);
  element("#notes").replaceChildren(...notes.map((note) => withText("li", "", note)));
  result.hidden = false;
  progress.textContent = `${verdict}. ${steps.filter(({ passed }) => passed).length} of ${stepNames.length} steps passed.`;
  element<HTMLElement>("#verdict").focus();
}

function lineOf({ number, name, passed, says, file: named, entry }: StepReport): HTMLElement {
  const where = passed ? "" : `${named}${entry === null ? "" : `, entry ${entry}`}: `;
  return line(number, name, withText("span", passed ? "passed" : "failed", passed ? "ok" : "FAILED"), `${where}${says}`);
}

function waiting(number: number, name: string): HTMLElement {
  const item = line(number, name, withText("span", "", ""), "not run");
  item.className = "off";
  return item;
}

function line(number: number, name: string, state: HTMLElement, says: string): HTMLElement {
  const item = document.createElement("li");
  const parts = [withText("span", "number", String(number)), withText("span", "", name), state, withText("span", "says", says)];
  // Spaces, so that a copied line reads like the command's.
  item.append(...parts.flatMap((part) => [part, " "]));
  return item;
}

function withText(tag: string, className: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function choose(next: File | undefined): void {
  if (next === undefined) return;
  file = next;
  chosen.textContent = next.name;
  drop.classList.add("chosen");
  void run();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run();
});
bundle.addEventListener("change", () => choose(bundle.files?.[0]));
root.addEventListener("input", () => {
  rootFault.textContent = "";
  root.removeAttribute("aria-invalid");
  if (file !== null && readRoot(root.value) !== null) void run();
});
// A file dropped beside the area would otherwise be opened by the browser.
for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
document.addEventListener("dragover", () => drop.classList.add("over"));
document.addEventListener("dragleave", () => drop.classList.remove("over"));
document.addEventListener("drop", (event) => {
  drop.classList.remove("over");
  choose((event as DragEvent).dataTransfer?.files[0]);
});
