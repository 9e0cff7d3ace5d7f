/** The props of every screen: the path parameters. */
export interface ScreenProps {
  readonly params: Readonly<Record<string, string>>;
}
