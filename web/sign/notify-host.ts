import { effect } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { ending, opened, progress, stage } from "./ceremony.ts";

/** Sends codes and counts only. It begins with the present state, so nothing is missed while this part of the page is loaded. */
export function notifyHost(): void {
  let isReady = false;
  effect(() => {
    const now = opened.value;
    if (now === null || isReady) return;
    isReady = true;
    if (now.state === "signed")
      tellHost({ type: "completed", envelope_status: now.envelope.status, signed_at: now.you.signed_at ?? now.server_time, again: true });
    else if (now.state === "locked" || now.state === "identity_unavailable") tellHost({ type: "problem", code: now.state });
    else tellHost({ type: "ready" });
  });
  effect(() => {
    if (stage.value === "fields" || stage.value === "review") tellHost({ type: "progress", ...progress.value });
  });
  effect(() => {
    const why = ending.value?.why;
    if (why === undefined) return;
    if (why === "declined" || why === "declined_by_you") tellHost({ type: "declined" });
    else if (why === "expired") tellHost({ type: "expired", what: "envelope" });
    else tellHost({ type: "problem", code: why });
  });
}
