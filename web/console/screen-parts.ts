/** The props of every screen: the path parameters. */
export interface ScreenParts {
  readonly parts: Readonly<Record<string, string>>;
}
