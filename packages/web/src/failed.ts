import type { Failed } from "@trailbook/http/Route"
import { lazily } from "./lazily.ts"
import type { Site } from "./Site.ts"
import type { Forbidden } from "./ui/Wrong.tsx"

const views = lazily(async () => {
  const [{ shown }, Wrong] = await Promise.all([import("./ui/Shown.ts"), import("./ui/Wrong.tsx")])
  return { shown, Wrong }
})

/**
 * Says what went wrong as a page of the site.
 *
 * @category constructors
 */
export const failed =
  (site: Site, forbidden?: (request: Request) => Forbidden): Failed => (failure, { request, requestId }) =>
    views.within(({ shown, Wrong }) => Wrong.reply(shown(site, request), failure, requestId, forbidden?.(request)))
