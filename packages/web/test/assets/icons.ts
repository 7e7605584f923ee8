/** The dashboard's Lucide icons (https://lucide.dev, ISC License) as one file. Pages refer to an icon by name. */
import { createRequire } from "node:module"

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
  "menu",
  "message-square",
  "paperclip",
  "phone",
  "plus",
  "printer",
  "sailboat",
  "search",
  "send",
  "settings",
  "sliders-horizontal",
  "sparkles",
  "sun",
  "ticket",
  "triangle-alert",
  "undo-2",
  "users",
  "wallet",
  "webhook",
  "x"
] as const

const require = createRequire(import.meta.url)
const { icons } = require("@iconify-json/lucide/icons.json")

/** The attributes that the stylesheet sets instead. */
const styled = / (?:fill="none"|stroke="currentColor"|stroke-linecap="round"|stroke-linejoin="round"|stroke-width="2")/g

const symbol = (name: string): string =>
  `<symbol id="${name}" viewBox="0 0 24 24">${icons[name].body.replaceAll(styled, "")}</symbol>`

export const iconNames: ReadonlyArray<string> = names

export const iconsText = (): string =>
  `<!-- Icons of Lucide, ISC License, https://lucide.dev/license --><svg xmlns="http://www.w3.org/2000/svg">${
    names.map(symbol).join("")
  }</svg>`
