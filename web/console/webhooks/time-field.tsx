import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { inputTime, momentOf } from "../zone-inputs.ts";

interface TimeFieldProps {
  readonly label: string;
  readonly name: string;
  /** ISO time, or empty */
  readonly at: string;
  readonly onTime: (iso: string) => void;
  readonly optional?: boolean;
  readonly sending?: Sending;
  readonly error?: string | null;
}

/** Shows local time; the address and the API use UTC. */
export function TimeField({ at, onTime, ...field }: TimeFieldProps) {
  const changed = (value: string) => onTime(value === "" ? "" : momentOf(value));
  return <TextField {...field} type="datetime-local" value={shownOf(at)} onText={changed} />;
}

function shownOf(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? "" : inputTime(iso);
}
