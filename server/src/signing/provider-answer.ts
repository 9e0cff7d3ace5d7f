import { Problem } from "../shared/problems.ts";
import type { Outcome } from "./provider.ts";

/** The value of a successful call; otherwise throws the problem for the caller. */
export function valueFrom<T>(outcome: Outcome<T>): T {
  switch (outcome.kind) {
    case "done":
      return outcome.value;
    case "rejected":
      throw new Problem("provider_rejected", outcome.reason);
    case "unreachable":
      throw new Problem("provider_unreachable", outcome.reason);
    case "not_configured":
      throw new Problem("provider_not_configured");
  }
}
