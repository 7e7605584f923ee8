import type { Refusal } from "@trailbook/core"
import { type Actor, VisitorAccess } from "@trailbook/core/actor"
import { publicPageGet } from "@trailbook/core/operation"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as FairQueue from "@trailbook/http/limit/FairQueue"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { type Form, formBody } from "@trailbook/http/request/formBody"
import type { Reply } from "@trailbook/http/response/Reply"
import type { AnyRoute, RouteRequest, UnauthenticatedRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { checkFormOrigin, get, post } from "../defineRoute.ts"
import { makeOperationCaller } from "../operationCaller.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import { getSiteRoot, type Site } from "../Site.ts"
import {
  checkRequestLimit,
  type GuestAssistantEndpoint,
  makeLlmsTextReply,
  makeServerCardReply,
  mcpMessageBody,
  streamsUnsupportedFailure
} from "./assistant.ts"
import { makeBookHandlers, makeQuestionHandlers } from "./bookHandlers.ts"
import { parseContactForm, parseSelection, readQueryParameters } from "./BookingSelection.ts"
import { makeFormStateSigner } from "./formStateSigner.ts"

/** Creates the routes for the public booking pages, which are addressed by the outfitter's slug. */
export const bookRoutes = (site: Site, assistant?: GuestAssistantEndpoint) =>
  Effect.gen(function*() {
    const { findVisitor } = yield* VisitorAccess
    const run = yield* makeOperationCaller
    const enqueue = FairQueue.make({ each: 2, all: 4 })
    const pages = makePageRenderer(site, () => import("./pages.ts"))
    const state = yield* makeFormStateSigner(Effect.map(currentTime, (now) => Math.floor(now / 1000)))
    const dependencies = { site, run, ...pages, state }
    const handlers = makeBookHandlers(dependencies)
    const questionHandlers = makeQuestionHandlers(dependencies)

    const visitor = {
      scope: "visit",
      find: ({ address, param }: UnauthenticatedRequest) => findVisitor(param("slug"), address)
    } as const
    const viewLimit = IpRateLimit.make({ times: 120 })
    const readDefaults = { caller: visitor, limits: [viewLimit], renderError: makeErrorRenderer(site) }
    const formDefaults = { ...readDefaults, refuse: checkFormOrigin(site), body: formBody }
    const bookLimit = IpRateLimit.make({ times: 10 })
    const bookDefaults = { ...formDefaults, limits: [viewLimit, bookLimit] }
    /**
     * Limits the discount codes that a visitor can try. A booking with a code takes two attempts: one to see the price
     * and one to confirm it.
     */
    const codeLimit = IpRateLimit.make({ times: 20, minutes: 60 })
    const mayTryCode = (address: string | undefined) => Effect.isSuccess(checkRequestLimit(codeLimit, address))
    const questionDefaults = { ...formDefaults, limits: [viewLimit, IpRateLimit.make({ times: 3, minutes: 10 })] }

    /** Limits the emails that a visitor can send, because the visitor can enter any address. */
    const proofDefaults = { ...formDefaults, limits: [viewLimit, IpRateLimit.make({ times: 6, minutes: 24 * 60 })] }

    type Handler<Body> = (routeRequest: RouteRequest<typeof visitor, Body>) => Effect.Effect<Reply, Refusal, Actor>
    /** Limits concurrent requests per org. */
    const limitConcurrency = <Body>(handle: Handler<Body>): Handler<Body> => (routeRequest) =>
      enqueue(routeRequest.actor.orgId, handle(routeRequest))
    const getPage = (path: `/${string}`, name: string, handle: Handler<undefined>) =>
      get(readDefaults, path, name, limitConcurrency(handle))
    const postForm = (defaults: typeof formDefaults, path: `/${string}`, name: string, handle: Handler<Form>) =>
      post(defaults, path, name, limitConcurrency(handle))

    /**
     * Returns the root URL of the pages. Without a public URL, uses the request's host. This is safe, because only the
     * sender of the request reads the result.
     */
    const rootOf = (request: Request) =>
      getSiteRoot(site, request) ?? new URL(request.url).origin + site.link("/").slice(0, -1)

    return [
      // These routes precede the offerings, which match any path below the slug.
      ...assistant === undefined ? [] : [
        get({ caller: "anyone", limits: [viewLimit] }, "/book/:slug/mcp", "book.mcp", () =>
          Effect.fail(streamsUnsupportedFailure)),
        post(
          { caller: visitor, limits: [viewLimit], refuse: checkFormOrigin(site), body: mcpMessageBody },
          "/book/:slug/mcp",
          "book.mcp",
          limitConcurrency(({ actor, address, body, request }) =>
            assistant.answer(request, {
              actor,
              body,
              limits: { book: checkRequestLimit(bookLimit, address), tryCode: checkRequestLimit(codeLimit, address) }
            })
          )
        ),
        // The specification names the first path, and older clients try the second.
        ...(["/book/:slug/mcp/server-card", "/book/:slug/.well-known/mcp/server-card.json"] as const).map((path) =>
          getPage(path, "book.server_card", ({ request }) =>
            Effect.map(run(publicPageGet, { offerings: false }), ({ org }) =>
              makeServerCardReply(rootOf(request), org, assistant.version)))
        ),
        getPage("/book/:slug/llms.txt", "book.llms", ({ request }) =>
          Effect.map(run(publicPageGet, {}), ({ offerings, org }) =>
            makeLlmsTextReply(rootOf(request), org, offerings)))
      ],
      getPage("/book/:slug", "book.offerings", ({ request }) =>
        Effect.flatMap(run(publicPageGet, {}), ({ offerings, org }) =>
          pages.pageOf(200, request, org, ({ offeringsPage }, context) =>
            offeringsPage(context, offerings)))),
      getPage("/book/:slug/question", "book.question", ({ request }) =>
        questionHandlers.blank(request)),
      postForm(questionDefaults, "/book/:slug/question", "book.ask", ({ body, request }) =>
        questionHandlers.send(request, body)),
      getPage("/book/:slug/email/:link", "book.proof", ({ request }) =>
        handlers.proof(request)),
      postForm(formDefaults, "/book/:slug/email/:link", "book.prove", ({ param, request }) =>
        handlers.prove(request, param("link"))),
      postForm(proofDefaults, "/book/:slug/:offering/email", "book.request_proof", (routeRequest) =>
        handlers.requestProof(toFormState(routeRequest), routeRequest.body)),
      getPage("/book/:slug/:offering", "book.times", (routeRequest) =>
        handlers.picker(toChoice(routeRequest))),
      getPage("/book/:slug/:offering/details", "book.details", (routeRequest) =>
        handlers.details(toChoice(routeRequest))),
      postForm(formDefaults, "/book/:slug/:offering/times", "book.times", (routeRequest) => {
        const { body } = routeRequest
        // `on` is the value of the day button. It is ignored if a month button was pressed.
        const date = body["month"] === undefined ? body["date"] ?? body["on"] : undefined
        return handlers.picker(toFormState(routeRequest, { ...body, date }))
      }),
      postForm(formDefaults, "/book/:slug/:offering/details", "book.details", (routeRequest) => {
        const { address, body } = routeRequest
        const typedForm = toFormState(routeRequest, { ...body, date: body["on"] ?? body["date"] })
        return handlers.limitCodes(typedForm, mayTryCode(address), handlers.details)
      }),
      postForm(bookDefaults, "/book/:slug/:offering", "book.book", (routeRequest) => {
        const { address, body } = routeRequest
        const typedForm = toFormState(routeRequest)
        return handlers.limitCodes(typedForm, mayTryCode(address), (form) =>
          handlers.book(form, body))
      })
    ] as ReadonlyArray<AnyRoute>
  })

type OfferingRequest<Body> = Pick<RouteRequest<"anyone", Body>, "body" | "param" | "request">

/** Returns the offering and the choices from the URL. */
const toChoice = ({ param, request }: Omit<OfferingRequest<unknown>, "body">) => ({
  request,
  offering: param("offering"),
  choice: parseSelection(readQueryParameters(request))
})

/** Returns the offering, the choices, and the contact details from a form. */
const toFormState = (
  { body, param, request }: OfferingRequest<Form>,
  choices: Parameters<typeof parseSelection>[0] = body
) => ({
  request,
  offering: param("offering"),
  choice: parseSelection(choices),
  contactDetails: parseContactForm(body)
})
