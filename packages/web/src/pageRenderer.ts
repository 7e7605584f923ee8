import type { PublicOrgView } from "@trailbook/core/operation"
import type { ErrorRenderer } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import type { Site } from "./Site.ts"
import type { Page } from "./ui/Document.tsx"
import type { ForbiddenReason } from "./ui/Layout.tsx"
import type { OrgRenderContext, RenderContext } from "./ui/RenderContext.ts"

/** Loads a module on first use and caches it. On a server that renders no pages, the rendering code is never loaded. */
export const importLazily = <A>(load: () => Promise<A>) => {
  let loaded: A | undefined
  let loading: Promise<A> | undefined
  const promise = () =>
    loading ??= load().then((module) => {
      loaded = module
      return module
    })
  return {
    effect: Effect.suspend(() => loaded === undefined ? Effect.promise(promise) : Effect.succeed(loaded)),
    /** Calls `use` synchronously if the module is already loaded. */
    within: <B>(use: (module: A) => B): B | Promise<B> => loaded === undefined ? promise().then(use) : use(loaded)
  }
}

/**
 * Renders pages. The views are loaded on first use. `page` renders a page for the service, and `pageOf` renders a page
 * for an org.
 */
export const makePageRenderer = <Views>(site: Site, load: () => Promise<Views>) => {
  const modules =
    importLazily(() => Promise.all([load(), import("./ui/Document.tsx"), import("./ui/RenderContext.ts")])).effect
  return {
    views: Effect.map(modules, ([views]) => views),
    page: (status: number, request: Request, view: (views: Views, context: RenderContext) => Page) =>
      Effect.map(modules, ([views, { makePageReply }, { makeRenderContext }]) => {
        const context = makeRenderContext(site, request)
        return makePageReply(status, context, view(views, context))
      }),
    /** Renders text other than a page, such as a script. */
    textOf: (request: Request, org: PublicOrgView, view: (views: Views, context: OrgRenderContext) => string) =>
      Effect.map(
        modules,
        ([views, , { makeOrgRenderContext }]) => view(views, makeOrgRenderContext(site, request, org))
      ),
    pageOf: (
      status: number,
      request: Request,
      org: PublicOrgView,
      view: (views: Views, context: OrgRenderContext) => Page
    ) =>
      Effect.map(modules, ([views, { makePageReply }, { makeOrgRenderContext }]) => {
        const context = makeOrgRenderContext(site, request, org)
        return makePageReply(status, context, view(views, context))
      })
  }
}

const errorViews = importLazily(() => Promise.all([import("./ui/RenderContext.ts"), import("./ui/Layout.tsx")]))

/** Creates a function that renders errors as HTML pages. */
export const makeErrorRenderer =
  (site: Site, forbidden?: (request: Request) => ForbiddenReason): ErrorRenderer => (failure, { request, requestId }) =>
    errorViews.within(([{ makeRenderContext }, { makeErrorReply }]) =>
      makeErrorReply(makeRenderContext(site, request), failure, requestId, forbidden?.(request))
    )
