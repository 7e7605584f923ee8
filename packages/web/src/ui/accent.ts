import { contrast, parseRgb, type Rgb, toHex, white } from "../style/theme.ts"

/** Darkens an accent color until it is readable both as text on the paper background and behind white text. */
export const readableAccent = (text: string | null): string | undefined => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? "")?.[1]
  if (digits === undefined) return undefined
  let color = parseRgb(`#${digits}`)
  while (contrast(color, white) < leastContrast) color = darker(color)
  return toHex(color)
}

/** WCAG requires a contrast of 4.5. The limit for white is higher, because the paper background is slightly darker. */
const leastContrast = 5

const darker = (
  [red, green, blue]: Rgb
): Rgb => [Math.floor(red * .94), Math.floor(green * .94), Math.floor(blue * .94)]
