/** A request as a command. */
export function curl(method: string, path: string, body?: unknown, form?: readonly string[], key = "$API_KEY"): string {
  const lines = [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}"${location.origin}/api/v2${path}"`,
    `  -H "${key === "$TOKEN" ? "Authorization: Bearer " : "X-API-Key: "}${key}"`,
  ];
  if (body !== undefined) lines.push("  -H 'Content-Type: application/json'", `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  for (const part of form ?? []) lines.push(`  -F '${part.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n");
}
