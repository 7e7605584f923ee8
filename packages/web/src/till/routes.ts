/**
 * The page of a test till, for who composes one. No server has it by itself.
 */
import { invalid, notFound } from "@trailbook/core/Refusal"
import { form } from "@trailbook/http/form"
import type { AnyRoute } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { goTo } from "../goTo.ts"
import { get, post } from "../methods.ts"
import { showing } from "../showing.ts"
import * as Site from "../Site.ts"
import type { Said } from "./TillPage.tsx"
import { tillActs, type TillPort } from "./TillPort.ts"

/**
 * Shows a checkout at `/till/{session}`, and takes the one button that was pressed there.
 *
 * @category constructors
 */
export const tillRoutes = (till: TillPort, options: Site.SiteOptions = {}): ReadonlyArray<AnyRoute> => {
  const site = Site.make(options)
  const { page } = showing(site, () => import("./TillPage.tsx"))
  const all = { caller: "anybody", failed: failed(site) } as const
  const found = (session: string) =>
    Effect.flatMap(
      till.find(session),
      (checkout) => checkout === null ? notFound("checkout", session.slice(0, 80)) : Effect.succeed(checkout)
    )
  return [
    get(
      all,
      "/till/:session",
      "till.show",
      ({ param, request }) =>
        Effect.flatMap(
          found(param("session")),
          (checkout) => page(200, request, ({ tillPage }, shown) => tillPage(shown, checkout, saidIn(shown.url)))
        )
    ),
    post(
      { ...all, body: form, refuse: foreignForm(site) },
      "/till/:session",
      "till.act",
      ({ body, param, request }) =>
        Effect.gen(function*() {
          const session = param("session")
          yield* found(session)
          const act = tillActs.find((one) => one === body.act)
          if (act === undefined) return yield* invalid(unknownAct)
          const said: Said = act === "decline" ? "declined" : (yield* till.act(session, act)) ? undefined : "late"
          return goTo(backTo(site, session, request, said))
        })
    )
  ]
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

const unknownAct = `act must be one of ${tillActs.join(", ")}.`
