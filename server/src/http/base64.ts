const GROUP = 4;

/**
 * At least one Base64 digit (RFC 4648, 4), then at most two padding characters. A text can be as long as a body, so the fast built-in decoder
 * is used. It skips or converts invalid characters, which shows when the bytes are encoded again.
 */
export function isBase64(text: string): boolean {
  const digits = text.endsWith("==") ? text.slice(0, -2) : text.endsWith("=") ? text.slice(0, -1) : text;
  const whole = digits.length - (digits.length % GROUP);
  const groups = digits.slice(0, whole);
  // The last group can be incomplete and can contain bits that belong to no byte.
  return digits !== "" && /^[A-Za-z0-9+/]*$/.test(digits.slice(whole)) && Buffer.from(groups, "base64").toString("base64") === groups;
}
