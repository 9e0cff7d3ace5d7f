/**
 * Runs an act now or, if the browser is offline, when it is online again. A module must not be imported while the browser is offline:
 * Chromium does not load it again after it has failed once. Returns how to stop waiting.
 */
export function whenOnline(act: () => void): () => void {
  if (navigator.onLine) act();
  else addEventListener("online", act, { once: true });
  return () => removeEventListener("online", act);
}
