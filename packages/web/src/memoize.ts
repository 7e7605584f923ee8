/** Caches the result for each key and clears the cache when it reaches `most` entries. */
export const memoize = <A>(make: (...key: ReadonlyArray<string>) => A, most = 2000) => {
  const known = new Map<string, A>()
  return (...key: ReadonlyArray<string>): A => {
    const name = key.length === 1 ? `${key[0]}` : key.join(" ")
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make(...key)
    if (known.size >= most) known.clear()
    known.set(name, made)
    return made
  }
}
