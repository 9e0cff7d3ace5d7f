import { eventTypes } from "../events/catalogue.ts";
import { invalidField } from "../shared/problems.ts";

const names = Object.keys(eventTypes);
const EVERYTHING = ["*"];

/** The stored form of a filter: absent, empty and `*` are the same. Reserved names are accepted, but such events are never sent. */
export function parseFilter(wanted: readonly string[] | undefined): string[] {
  wanted?.forEach((pattern, index) => {
    if (pattern !== "*" && !names.some((name) => isMatch(pattern, name)))
      throw invalidField(`event_types[${index}]`, "invalid_value", "must be an event type from GET /webhooks/event-types");
  });
  if (wanted === undefined || wanted.length === 0 || wanted.includes("*")) return EVERYTHING;
  return [...new Set(wanted)];
}

/** A test event goes to every endpoint whatever its filter, because it tests the connection. */
export function isWanted(filter: readonly string[], event_type: string): boolean {
  return event_type === "webhook.test" || filter.some((pattern) => pattern === "*" || isMatch(pattern, event_type));
}

function isMatch(pattern: string, name: string): boolean {
  return pattern.endsWith(".*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Whether the filter contains only events that are never sent. */
export function isReservedOnly(filter: readonly string[]): boolean {
  return wantedNames(filter).every((name) => !eventTypes[name as keyof typeof eventTypes].dispatched);
}

/** The event types that a filter matches. */
export function wantedNames(filter: readonly string[]): string[] {
  return names.filter((name) => filter.some((pattern) => pattern === "*" || isMatch(pattern, name)));
}
