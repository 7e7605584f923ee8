import { getUnits } from "@trailbook/core/org/units"
import type { Site } from "../../Site.ts"
import * as Format from "../../text/Format.ts"
import { textIn } from "../../text/Text.ts"
import { makeRenderContext } from "../../ui/RenderContext.ts"
import type { DashboardContext } from "../Page.ts"

export const makeDashboardContext = (
  site: Site,
  request: Request,
  given: Pick<DashboardContext, "org" | "me" | "isOwner">
): DashboardContext => {
  const asked = makeRenderContext(site, request)
  const reader = asked.reader.language === "en" ? asked.reader : { language: "en", locale: "en-US" } as const
  return {
    ...asked,
    ...given,
    reader,
    text: textIn("en"),
    accent: undefined,
    isEmbedded: false,
    format: Format.make(reader, { ...given.org, ...getUnits(given.org) === "us" ? { hour12: true } : {} })
  }
}
