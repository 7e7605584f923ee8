/**
 * Derives colors from an accent color. Text on the accent color and text in the accent color remain readable in light
 * and dark themes. WCAG 2.2 requires a contrast ratio of 4.5:1.
 */

type Rgb = readonly [red: number, green: number, blue: number]

const least = 4.6

/** The background with the least contrast in each theme: the page in the light theme, and cards in the dark theme. */
const lightPaper: Rgb = [247, 246, 242]
const darkCard: Rgb = [26, 33, 30]
const black: Rgb = [0, 0, 0]

export const white: Rgb = [255, 255, 255]

/** Returns CSS custom properties for an accent color in the form `#rrggbb`. */
export const buildThemeCss = (accent: string): string => {
  const rgb = parseRgb(accent)
  const deep = towards(rgb, black, lightPaper)
  const bright = towards(rgb, white, darkCard)
  return `:root{--accent:${accent};--deep:light-dark(${toHex(deep)},${toHex(bright)})}`
}

/** Parses `#rrggbb`. */
const parseRgb = (color: string): Rgb => {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export const toHex = (rgb: Rgb): string => `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`

/** Returns the color if it is readable on the background, or else blends it with another color until it is. */
const towards = (from: Rgb, to: Rgb, ground: Rgb): Rgb => {
  for (let step = 0; step < 20; step++) {
    const share = step / 20
    const mix = (at: 0 | 1 | 2) => Math.round(from[at] * (1 - share) + to[at] * share)
    const mixed: Rgb = [mix(0), mix(1), mix(2)]
    if (computeContrast(mixed, ground) >= least) return mixed
  }
  return to
}

/** Returns the WCAG contrast ratio, from 1 to 21. */
const computeContrast = (a: Rgb, b: Rgb): number => {
  const [bright, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return ((bright ?? 0) + .05) / ((dark ?? 0) + .05)
}

const luminance = ([red, green, blue]: Rgb): number =>
  .2126 * linear(red) + .7152 * linear(green) + .0722 * linear(blue)

const linear = (part: number): number => {
  const share = part / 255
  return share <= .04045 ? share / 12.92 : ((share + .055) / 1.055) ** 2.4
}

/** Darkens an accent color until it is readable both as text on the paper background and behind white text. */
export const toReadableAccent = (text: string | null): string | undefined => {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? "")?.[1]
  if (digits === undefined) return undefined
  let color = parseRgb(`#${digits}`)
  while (computeContrast(color, white) < leastContrast) color = darker(color)
  return toHex(color)
}

/**
 * WCAG requires a contrast ratio of 4.5:1. The required contrast with white is higher, because the paper background is
 * slightly darker.
 */
const leastContrast = 5

const darker = (
  [red, green, blue]: Rgb
): Rgb => [Math.floor(red * .94), Math.floor(green * .94), Math.floor(blue * .94)]

/** The accent color for pages that do not set one, the same as `--accent` in `style/public.css`. */
export const defaultAccent = "#1f5f46"
