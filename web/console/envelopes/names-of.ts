const joined = new Intl.ListFormat("en", { type: "conjunction" });
export const namesOf = (people: readonly { readonly name: string }[]): string => joined.format(people.map(({ name }) => name));
