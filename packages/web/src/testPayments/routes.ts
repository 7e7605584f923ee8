/** The routes for the test checkout, for custom servers. The standard server has no test checkout. */
import { invalid, notFound } from "@trailbook/core"
import { formBody } from "@trailbook/http/request/formBody"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { checkFormOrigin, get, post, redirectAfterPost } from "../defineRoute.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import * as Site from "../Site.ts"
import type { TestDeclineReason } from "./TestPaymentsPage.tsx"
import { testPaymentActions, type TestPaymentsPort } from "./TestPaymentsPort.ts"

/** Creates the routes that show a checkout at `/till/{session}` and handle its buttons. */
export const testPaymentRoutes = (
  testPayments: TestPaymentsPort,
  options: Site.SiteOptions = {}
): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const { page } = makePageRenderer(site, () => import("./TestPaymentsPage.tsx"))
  const defaults = { caller: "anyone", renderError: makeErrorRenderer(site) } as const
  const findCheckout = (session: string) =>
    Effect.flatMap(
      testPayments.find(session),
      (checkout) => checkout === null ? notFound("checkout", session.slice(0, 80)) : Effect.succeed(checkout)
    )
  return [
    get(
      defaults,
      "/till/:session",
      "till.show",
      ({ param, request }) =>
        Effect.flatMap(findCheckout(param("session")), (checkout) =>
          page(
            200,
            request,
            ({ testPaymentsPage }, context) => testPaymentsPage(context, checkout, parseNotice(context.url))
          ))
    ),
    post(
      { ...defaults, body: formBody, refuse: checkFormOrigin(site) },
      "/till/:session",
      "till.act",
      ({ body, param, request }) =>
        Effect.gen(function*() {
          const session = param("session")
          yield* findCheckout(session)
          const action = testPaymentActions.find((one) => one === body.act)
          if (action === undefined) return yield* invalid(unknownActionMessage)
          const notice: TestDeclineReason = action === "decline"
            ? "declined"
            : (yield* testPayments.act(session, action))
            ? undefined
            : "late"
          return redirectAfterPost(toReturnUrl(site, session, request, notice))
        })
    )
  ]
}

const parseNotice = ({ searchParams }: URL): TestDeclineReason => {
  const notice = searchParams.get("notice")
  return notice === "declined" || notice === "late" ? notice : undefined
}

const toReturnUrl = (site: Site.Site, session: string, request: Request, notice: TestDeclineReason): string => {
  const { searchParams } = new URL(request.url)
  if (notice === undefined) searchParams.delete("notice")
  else searchParams.set("notice", notice)
  const query = searchParams.toString()
  return site.link(`/till/${encodeURIComponent(session)}`) + (query === "" ? "" : `?${query}`)
}

const unknownActionMessage = `act must be one of ${testPaymentActions.join(", ")}.`
