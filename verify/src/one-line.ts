/** One line of the terminal: what a file says must not move the cursor or begin a line of its own. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\ufffd").slice(0, 200);
