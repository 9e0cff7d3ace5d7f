const GROUP = 4;

/**
 * At least one digit of base64 (RFC 4648, 4), then at most two signs of padding. A text may be as long as a body, so the platform's own
 * decoder reads it: what it skips or takes for another digit does not come back when the bytes are encoded again.
 */
export function isBase64(text: string): boolean {
  const digits = text.endsWith("==") ? text.slice(0, -2) : text.endsWith("=") ? text.slice(0, -1) : text;
  const whole = digits.length - (digits.length % GROUP);
  const groups = digits.slice(0, whole);
  // The last digits may be fewer than a group, and may hold bits that no byte takes.
  return digits !== "" && /^[A-Za-z0-9+/]*$/.test(digits.slice(whole)) && Buffer.from(groups, "base64").toString("base64") === groups;
}
