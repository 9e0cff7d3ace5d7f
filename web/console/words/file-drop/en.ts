/** The words of the place where files are dropped. A table of another language must have the same members. */
export const en = {
  one: { drop: "Drop a file here or", choose: "choose one" },
  several: { drop: "Drop files here or", choose: "choose them" },
  replace: "Choose another file",
  kilobytes: (size: string) => `${size} KB`,
  megabytes: (size: string) => `${size} MB`,
};
