/**
 * The page of a test till, for who composes one. No server has it by itself.
 */
import { invalid, notFound } from "@trailbook/core/Refusal"
import { Failure } from "@trailbook/http/Failure"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { failed } from "../failed.ts"
import { lazily } from "../lazily.ts"
import * as Site from "../Site.ts"
import type { Said } from "./TillPage.tsx"
import { tillActs, type TillPort } from "./TillPort.ts"

const views = lazily(() => import("./views.ts"))

/**
 * Shows a checkout at `/till/{session}`, and takes the one button that was pressed there.
 *
 * @category constructors
 */
export const tillRoutes = (till: TillPort, options: Site.SiteOptions = {}): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const all = { path: "/till/:session", caller: "anybody", failed: failed(site) } as const
  const found = (session: string) =>
    Effect.flatMap(
      till.find(session),
      (checkout) => checkout === null ? notFound("checkout", session.slice(0, 80)) : Effect.succeed(checkout)
    )

  const show: Route<"anybody", undefined> = {
    ...all,
    method: "GET",
    name: "till.show",
    body: none,
    answer: ({ param, request }) =>
      Effect.gen(function*() {
        const checkout = yield* found(param("session"))
        const { Document, shownOf, tillPage } = yield* views.effect
        const shown = shownOf(site, request)
        return Document.reply(200, shown, tillPage(shown, checkout, saidIn(shown.url)))
      })
  }

  const act: Route<"anybody", Form> = {
    ...all,
    method: "POST",
    name: "till.act",
    refuse: (request) => site.isForeign(request) ? foreign : undefined,
    body: form,
    answer: ({ body, param, request }) =>
      Effect.gen(function*() {
        const session = param("session")
        yield* found(session)
        const act = tillActs.find((one) => one === body.act)
        if (act === undefined) return yield* invalid(unknownAct)
        const said: Said = act === "decline" ? "declined" : (yield* till.act(session, act)) ? undefined : "late"
        return { status: 303, body: null, headers: { location: backTo(site, session, request, said) } }
      })
  }
  return [show, act] as ReadonlyArray<AnyRoute>
}

const saidIn = ({ searchParams }: URL): Said => {
  const said = searchParams.get("said")
  return said === "declined" || said === "late" ? said : undefined
}

const backTo = (site: Site.Site, session: string, request: Request, said: Said): string => {
  const { searchParams } = new URL(request.url)
  if (said === undefined) searchParams.delete("said")
  else searchParams.set("said", said)
  const query = searchParams.toString()
  return site.link(`/till/${encodeURIComponent(session)}`) + (query === "" ? "" : `?${query}`)
}

const foreign = new Failure({ code: "forbidden", message: "A page of another site may not do that." })
const unknownAct = `act must be one of ${tillActs.join(", ")}.`
