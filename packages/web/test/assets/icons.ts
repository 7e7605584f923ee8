/** The dashboard's Lucide icons (https://lucide.dev, ISC License) as one file. Pages refer to an icon by name. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const names = [
  "bell",
  "bot",
  "calendar-days",
  "chart-column",
  "check",
  "chevron-left",
  "chevron-right",
  "circle-user",
  "code",
  "credit-card",
  "download",
  "inbox",
  "key-round",
  "log-out",
  "map-pin",
  "menu",
  "message-square",
  "paperclip",
  "pencil",
  "phone",
  "plus",
  "printer",
  "rotate-ccw",
  "sailboat",
  "search",
  "send",
  "settings",
  "sliders-horizontal",
  "sparkles",
  "sun",
  "ticket",
  "trash-2",
  "triangle-alert",
  "undo-2",
  "users",
  "wallet",
  "webhook",
  "x"
] as const

const require = createRequire(import.meta.url)
const folder = join(dirname(require.resolve("lucide-static/package.json")), "icons")

const symbol = (name: string): string => {
  const [, inner = ""] = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(join(folder, `${name}.svg`), "utf8")) ?? []
  return `<symbol id="${name}" viewBox="0 0 24 24">${
    inner.replaceAll(/\s*\n\s*/g, "").replaceAll(" />", "/>")
  }</symbol>`
}

export const iconNames: ReadonlyArray<string> = names

export const iconsText = (): string =>
  `<!-- Icons of Lucide, ISC License, https://lucide.dev/license --><svg xmlns="http://www.w3.org/2000/svg">${
    names.map(symbol).join("")
  }</svg>`
