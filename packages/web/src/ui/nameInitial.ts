/** The first letter of a name, or whatever it begins with. */
export const nameInitial = (name: string): string => {
  const [{ segment } = { segment: "" }] = segments.segment(/\p{Letter}|\p{Number}/u.exec(name)?.[0] ?? name)
  return segment.toUpperCase()
}

const segments = new Intl.Segmenter()
