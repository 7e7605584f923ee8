/** Caches the result for each key and clears the cache when it reaches `maxSize` entries. */
export const memoize = <A>(make: (...key: ReadonlyArray<string>) => A, maxSize = 2000) => {
  const cache = new Map<string, A>()
  return (...key: ReadonlyArray<string>): A => {
    const name = key.length === 1 ? `${key[0]}` : key.join(" ")
    const cachedValue = cache.get(name)
    if (cachedValue !== undefined) return cachedValue
    const value = make(...key)
    if (cache.size >= maxSize) cache.clear()
    cache.set(name, value)
    return value
  }
}
