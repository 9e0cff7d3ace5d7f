const element = document.querySelector("countersign-sign");
const state = document.getElementById("state");
const log = document.getElementById("log");

const says = {
  ready: () => "Please read and sign.",
  progress: ({ done, total }) => `${done} of ${total} required fields are done.`,
  // A hint for this page alone: the backend believes GET …/status and webhooks.
  completed: ({ again }) => (again ? "You have signed before." : "Thank you, you have signed."),
  declined: () => "You have declined to sign.",
  expiring: () => null,
  expired: ({ what }) => (what === "envelope" ? "The time to sign has passed." : null),
  problem: ({ code }) => (code === "renewal_failed" ? "Your time here could not be extended." : `This cannot be signed now (${code}).`),
};

for (const [type, words] of Object.entries(says)) {
  element.addEventListener(type, ({ detail }) => {
    state.textContent = words(detail) ?? state.textContent;
    const line = document.createElement("li");
    line.textContent = detail === null ? type : `${type} ${JSON.stringify(detail)}`;
    log.append(line);
  });
}

// The first address comes from where the later ones come from.
const answer = await fetch("/embed-url", { method: "POST" });
if (answer.ok) element.setAttribute("src", (await answer.json()).embed_url);
else state.textContent = "The document cannot be opened now.";
