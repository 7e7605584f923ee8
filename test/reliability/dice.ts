/**
 * Seeded random numbers. The same seed repeats the plan: each guest's requests and the times of the faults. The order
 * in which concurrent requests arrive still varies.
 */
export interface Dice {
  /** Returns an integer from `least` to `most`, inclusive. */
  readonly between: (least: number, most: number) => number
  readonly pick: <A>(list: ReadonlyArray<A>) => A
  /** Returns true with this probability in percent. */
  readonly percent: (chance: number) => boolean
  readonly uuid: () => string
  /** Returns separate dice. Their sequence does not depend on how often the original dice are used. */
  readonly for: (name: string) => Dice
}

export const dice = (seed: string): Dice => {
  const next = mulberry32(hash(seed))
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const hex = (digits: number) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join("")
  return {
    between,
    pick: <A>(list: ReadonlyArray<A>) => {
      if (list.length === 0) throw new Error("Cannot pick from an empty list.")
      return list[between(0, list.length - 1)] as A
    },
    percent: (chance) => next() * 100 < chance,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    for: (name) => dice(`${seed}/${name}`)
  }
}

/** Computes the FNV-1a hash. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}

const mulberry32 = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let value = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
}
