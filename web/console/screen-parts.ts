/** What every screen is given: the parts that its address names. */
export interface ScreenParts {
  readonly parts: Readonly<Record<string, string>>;
}
