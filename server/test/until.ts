/** Waits until a condition is true. After the deadline it fails with the name of the condition and the last value. */
export async function until(what: string, holds: () => Promise<boolean>, deadlineMs = 15_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > deadline) throw new Error(`timed out after ${deadlineMs} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
