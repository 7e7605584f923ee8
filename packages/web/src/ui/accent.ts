import { contrast, parseRgb, type Rgb, toHex, white } from "../style/theme.ts"

/**
 * The color of an outfitter, as it can be read: white on it and it on paper. One that is too light is darkened, so nobody
 * can choose a page that cannot be read.
 */
export const readableAccent = (text: string | null): string | undefined => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? "")?.[1]
  if (digits === undefined) return undefined
  let color = parseRgb(`#${digits}`)
  while (contrast(color, white) < leastContrast) color = darker(color)
  return toHex(color)
}

/** 4.5 is asked for on white; paper is a little darker. */
const leastContrast = 5

const darker = (
  [red, green, blue]: Rgb
): Rgb => [Math.floor(red * .94), Math.floor(green * .94), Math.floor(blue * .94)]
