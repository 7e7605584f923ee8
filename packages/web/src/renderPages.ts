import type { PublicOrgView } from "@trailbook/core/operation"
import * as Effect from "effect/Effect"
import { importLazily } from "./importLazily.ts"
import type { Site } from "./Site.ts"
import type { Page } from "./ui/Document.tsx"
import type { OrgRenderContext, RenderContext } from "./ui/RenderContext.ts"

/**
 * Renders pages. The views are loaded on first use. `page` renders a page for the service, and `pageOf` renders a page
 * for an org.
 */
export const makeRenderPages = <Views>(site: Site, load: () => Promise<Views>) => {
  const modules =
    importLazily(() => Promise.all([load(), import("./ui/Document.tsx"), import("./ui/RenderContext.ts")])).effect
  return {
    views: Effect.map(modules, ([views]) => views),
    page: (status: number, request: Request, view: (views: Views, context: RenderContext) => Page) =>
      Effect.map(modules, ([views, { makePageReply: reply }, shownTo]) => {
        const context = shownTo.makeRenderContext(site, request)
        return reply(status, context, view(views, context))
      }),
    /** Renders text other than a page, such as a script. */
    textOf: (request: Request, org: PublicOrgView, view: (views: Views, context: OrgRenderContext) => string) =>
      Effect.map(modules, ([views, , shownTo]) => view(views, shownTo.makeOrgRenderContext(site, request, org))),
    pageOf: (
      status: number,
      request: Request,
      org: PublicOrgView,
      view: (views: Views, context: OrgRenderContext) => Page
    ) =>
      Effect.map(modules, ([views, { makePageReply: reply }, shownTo]) => {
        const context = shownTo.makeOrgRenderContext(site, request, org)
        return reply(status, context, view(views, context))
      })
  }
}
