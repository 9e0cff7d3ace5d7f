export function Builder(_: {
  of: { kind: "template" | "envelope"; id: string };
  roles: readonly string[];
  onSaved?: (count: number) => void;
}) {
  return null;
}
