/** @typedef {import("@countersign/embed").EventDetails} EventDetails */

const element = /** @type {HTMLElement} */ (document.querySelector("countersign-sign"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const log = /** @type {HTMLElement} */ (document.getElementById("log"));

/** @type {{ [T in keyof EventDetails]: (detail: EventDetails[T]) => string | null }} */
const says = {
  ready: () => "Please read and sign.",
  progress: ({ done, total }) => `${done} of ${total} required fields completed.`,
  field: () => null,
  // Only for display. The backend must rely on GET …/status and webhooks.
  completed: ({ again }) => (again ? "You have already signed." : "Thank you for signing."),
  declined: () => "You have declined to sign.",
  expiring: () => null,
  expired: ({ what }) => (what === "envelope" ? "The signing deadline has passed." : null),
  problem: ({ code }) => (code === "renewal_failed" ? "Your session could not be extended." : `This cannot be signed now (${code}).`),
};

for (const [type, words] of /** @type {[string, (detail: unknown) => string | null][]} */ (Object.entries(says))) {
  element.addEventListener(type, (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    state.textContent = words(detail) ?? state.textContent;
    const line = document.createElement("li");
    line.textContent = detail === null ? type : `${type} ${JSON.stringify(detail)}`;
    log.append(line);
  });
}

// The first address comes from the same endpoint as the later ones.
const answer = await fetch("/embed-url", { method: "POST" });
if (answer.ok) element.setAttribute("src", (await answer.json()).embed_url);
else state.textContent = "The document cannot be opened now.";
