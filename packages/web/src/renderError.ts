import type { RenderError } from "@trailbook/http/Route"
import { importLazily } from "./importLazily.ts"
import type { Site } from "./Site.ts"
import type { ForbiddenReason } from "./ui/ErrorPage.tsx"

const views = importLazily(async () => {
  const [{ makeRenderContext }, Wrong] = await Promise.all([
    import("./ui/RenderContext.ts"),
    import("./ui/ErrorPage.tsx")
  ])
  return { shown: makeRenderContext, Wrong }
})

/** Creates a function that renders errors as HTML pages. */
export const makeRenderError =
  (site: Site, forbidden?: (request: Request) => ForbiddenReason): RenderError => (failure, { request, requestId }) =>
    views.within(({ shown, Wrong }) =>
      Wrong.makeErrorReply(shown(site, request), failure, requestId, forbidden?.(request))
    )
