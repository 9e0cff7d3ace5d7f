const element = /** @type {import("@countersign/embed").CountersignVault} */ (document.querySelector("countersign-vault"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));

element.addEventListener("ready", () => {
  state.textContent = "";
});
// `tampered`: the record has been changed. Notify your own staff too; the organization's admins got an e-mail.
element.addEventListener("problem", ({ detail: { code } }) => {
  state.textContent = code === "tampered" ? "This record does not pass verification." : `The record cannot be shown now (${code}).`;
});

// The first address comes from the same endpoint as the later ones.
const answer = await fetch("/embed-url", { method: "POST" });
if (answer.ok) element.setAttribute("src", (await answer.json()).embed_url);
else state.textContent = "The record cannot be opened now.";
