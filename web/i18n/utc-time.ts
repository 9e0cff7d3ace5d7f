/** Times that are evidence are also shown in UTC. */
export function utcTime(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
