/**
 * The color of an outfitter, as it can be read: white on it and it on paper. One that is too light is darkened, so nobody
 * can choose a page that cannot be read.
 *
 * @category parsing
 */
export const accentOf = (text: string | null): string | undefined => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? "")?.[1]
  if (digits === undefined) return undefined
  let color = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  while (contrastWithWhite(color) < leastContrast) color = color.map((part) => Math.floor(part * .94))
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`
}

/** 4.5 is asked for on white; paper is a little darker. */
const leastContrast = 5

/** By WCAG 2. */
const contrastWithWhite = (color: ReadonlyArray<number>): number => {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255
    return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4
  })
  return 1.05 / (.2126 * red + .7152 * green + .0722 * blue + .05)
}
