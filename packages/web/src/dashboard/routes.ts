import { orgGet } from "@trailbook/core/operation/orgOperations"
import { staffApplications, staffEndLogin, staffLogins, staffWithdraw } from "@trailbook/core/operation/staffOperations"
import type { Refusal } from "@trailbook/core/Refusal"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Caller, Failed, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { lazily } from "../lazily.ts"
import { rootOf } from "../rootOf.ts"
import { seeOther } from "../seeOther.ts"
import type { Who } from "../signIn/Who.ts"
import type { Site } from "../Site.ts"

type Signed = Exclude<Caller, "anybody">

const views = lazily(() => import("./pages.ts"))

/**
 * The pages of whoever is signed in.
 *
 * @category constructors
 */
export const dashboardRoutes = (site: Site, who: Who) =>
  Effect.gen(function*() {
    const run = yield* ask
    const wrong = failed(site)
    /** Whoever is not signed in does that first, and comes back to what a GET asked for. */
    const orSignIn: Failed = (failure, said) => {
      if (failure.status !== 401) return wrong(failure, said)
      const { search } = new URL(said.request.url)
      const query = said.request.method === "GET"
        ? `?${new URLSearchParams({ next: `/dashboard${search}` }).toString()}`
        : ""
      return seeOther(site.link("/sign-in") + query)
    }
    const all = { failed: orSignIn, limits: [AddressLimit.make({ times: 240 })] }

    const home: Route<Signed, undefined> = {
      ...all,
      method: "GET",
      path: "/dashboard",
      name: "dashboard.home",
      caller: { scope: "read", find: who.find },
      body: none,
      answer: ({ actor, request }) =>
        Effect.gen(function*() {
          const { login, member: { email } } = yield* who.signedIn(request)
          const { name: org } = yield* run(orgGet, {})
          const owned = actor.scopes.has("staff")
            ? {
              applications: (yield* run(staffApplications, {})).data,
              logins: (yield* run(staffLogins, {})).data,
              here: login.id
            }
            : undefined
          const { Document, homePage, shown } = yield* views.effect
          const page = shown(site, request)
          const assistants = `${rootOf(site, request) ?? ""}/mcp`
          return Document.reply(200, page, homePage(page, { org, email, assistants, owned }))
        })
    }

    const action = (
      path: `/dashboard/${string}`,
      name: string,
      done: (id: string) => ReturnType<typeof run<typeof staffWithdraw>> | ReturnType<typeof run<typeof staffEndLogin>>
    ): Route<Signed, Form> => ({
      ...all,
      method: "POST",
      path,
      name,
      caller: { scope: "staff", find: who.find },
      refuse: foreignForm(site),
      body: form,
      // What is over already is what was wanted.
      answer: ({ param }) =>
        Effect.as(
          Effect.catchIf(
            done(param("id")) as Effect.Effect<unknown, Refusal, Effect.Effect.Context<ReturnType<typeof done>>>,
            ({ code }) => code === "not_found" || code === "invalid_request",
            () => Effect.void
          ),
          seeOther(site.link("/dashboard"))
        )
    })

    return [
      home,
      action("/dashboard/applications/:id/withdraw", "dashboard.withdraw", (id) => run(staffWithdraw, { id })),
      action("/dashboard/logins/:id/end", "dashboard.endLogin", (id) => run(staffEndLogin, { id }))
    ] as ReadonlyArray<AnyRoute>
  })
