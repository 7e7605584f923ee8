/** Returns the first letter or digit of a name, in uppercase, or the first character if the name has neither. */
export const getNameInitial = (name: string): string => {
  const [{ segment } = { segment: "" }] = segments.segment(/\p{Letter}|\p{Number}/u.exec(name)?.[0] ?? name)
  return segment.toUpperCase()
}

const segments = new Intl.Segmenter()
