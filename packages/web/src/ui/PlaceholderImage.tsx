import { memoize } from "../text/Format.ts"

/** Contour lines generated from an ID, as a placeholder image. The same ID always produces the same image. */
export const PlaceholderImage = ({ seed }: { readonly seed: string }) => (
  <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    {linesOf(seed).map((line, at) => <path key={at} d={line} class={at === 2 ? "river" : undefined} />)}
  </svg>
)

/** Returns the contour lines. They are cached, because generating the images for a list of twelve takes 0.2 ms. */
const linesOf = memoize((seed: string): ReadonlyArray<string> => {
  const random = randomOf(seed)
  const swing = 14 + random() * 22
  const phase = random() * 6
  const waves = 1.2 + random() * 1.6
  const line = (at: number): string => {
    const points: Array<string> = []
    for (let x = -10; x <= width + 10; x += 20) {
      const hill = Math.sin(x / width * Math.PI * waves + phase + at * .13) * swing * (1 - at * .05)
      const y = height * .16 + at * 16 + hill + Math.sin(x / 41 + phase * 2 + at * .4) * 4
      points.push(`${x} ${y.toFixed()}`)
    }
    return `M${points.join("L")}`
  }
  return [0, 1, 2, 3, 4, 5].map(line)
}, 500)

const width = 320
const height = 130

/** Returns pseudorandom numbers from 0 to 1, seeded by a string (FNV-1a, then xorshift). */
const randomOf = (seed: string): () => number => {
  let state = 2_166_136_261
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 16_777_619)
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4_294_967_296
  }
}

/** Returns the first letter or digit of a name, in uppercase, or the first character if the name has neither. */
export const getNameInitial = (name: string): string => {
  const [{ segment } = { segment: "" }] = segments.segment(/\p{Letter}|\p{Number}/u.exec(name)?.[0] ?? name)
  return segment.toUpperCase()
}

const segments = new Intl.Segmenter()
