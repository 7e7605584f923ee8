import { unitsOf } from "@trailbook/core/org/units"
import type { Site } from "../../Site.ts"
import * as Formats from "../../text/Format.ts"
import { textIn } from "../../text/Text.ts"
import { shown } from "../../ui/Shown.ts"
import type { DeskShown } from "../View.ts"

/**
 * @category constructors
 */
export const shownTo = (
  site: Site,
  request: Request,
  given: Pick<DeskShown, "org" | "me" | "isOwner">
): DeskShown => {
  const asked = shown(site, request)
  const reader = asked.reader.language === "en" ? asked.reader : { language: "en", locale: "en-US" } as const
  return {
    ...asked,
    ...given,
    reader,
    text: textIn("en"),
    accent: undefined,
    isEmbedded: false,
    format: Formats.make(reader, { ...given.org, ...unitsOf(given.org) === "us" ? { hour12: true } : {} })
  }
}
