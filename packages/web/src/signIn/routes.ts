import { Logins } from "@trailbook/core/staff/Logins"
import { SignInRequests } from "@trailbook/core/staff/SignInRequests"
import { emailAddress } from "@trailbook/core/wire/emailAddress"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { lazily } from "../lazily.ts"
import { placeOf } from "../passkey/place.ts"
import { rootOf } from "../rootOf.ts"
import { seeOther } from "../seeOther.ts"
import type { Site } from "../Site.ts"
import { ended } from "./ended.ts"
import { nextOf } from "./next.ts"
import type { Who } from "./Who.ts"

const views = lazily(() => import("./pages.ts"))

type Get = Route<"anybody", undefined>
type Post = Route<"anybody", Form>

/**
 * Signing in by a mailed link, and out.
 *
 * @category constructors
 */
export const signInRoutes = (site: Site, who: Who) =>
  Effect.gen(function*() {
    const logins = yield* Logins
    const requests = yield* SignInRequests
    const all = { caller: "anybody", failed: failed(site) } as const
    const page = { ...all, method: "GET", body: none, limits: [AddressLimit.make({ times: 120 })] } as const
    const sent = { ...all, method: "POST", body: form, refuse: foreignForm(site) } as const
    // Each of them costs a mail, and each tries a link.
    const few = [AddressLimit.make({ times: 5, minutes: 15 })]

    const ask: Get = {
      ...page,
      path: "/sign-in",
      name: "signIn.page",
      answer: ({ request }) =>
        Effect.gen(function*() {
          const next = nextOf(new URL(request.url).searchParams.get("next"))
          const already = yield* Effect.option(who.signedIn(request))
          if (already._tag === "Some") return seeOther(site.link(next ?? "/dashboard"))
          const { Document, askPage, nowherePage, shown } = yield* views.effect
          const page = shown(site, request)
          return rootOf(site, request) === undefined
            ? Document.reply(503, page, nowherePage(page))
            : Document.reply(200, page, askPage(page, { next, hasPasskeys: placeOf(site, request) !== undefined }))
        })
    }

    const send: Post = {
      ...sent,
      limits: few,
      path: "/sign-in",
      name: "signIn.ask",
      answer: ({ body, request }) =>
        Effect.gen(function*() {
          const { Document, askPage, nowherePage, sentPage, shown } = yield* views.effect
          const page = shown(site, request)
          const root = rootOf(site, request)
          if (root === undefined) return Document.reply(503, page, nowherePage(page))
          const next = nextOf(body.next)
          const email = emailAddress(body.email ?? "")
          if (email === undefined) {
            return Document.reply(
              422,
              page,
              askPage(page, {
                email: (body.email ?? "").slice(0, 254),
                isWrong: true,
                next,
                hasPasskeys: placeOf(site, request) !== undefined
              })
            )
          }
          yield* requests.ask({ email, next, url: (secret) => `${root}/sign-in/${secret}` })
          return Document.reply(200, page, sentPage(page, email, next))
        })
    }

    const look: Get = {
      ...page,
      path: "/sign-in/:link",
      name: "signIn.link",
      answer: ({ param, request }) =>
        Effect.gen(function*() {
          const { Document, linkPage, overPage, shown } = yield* views.effect
          const page = shown(site, request)
          return yield* Effect.match(logins.look(param("link")), {
            onFailure: () => Document.reply(410, page, overPage(page)),
            onSuccess: ({ email }) => Document.reply(200, page, linkPage(page, email))
          })
        })
    }

    const spend: Post = {
      ...sent,
      // An office has one address, and whoever guesses has 250 bits to guess.
      limits: [AddressLimit.make({ times: 30, minutes: 15 })],
      path: "/sign-in/:link",
      name: "signIn.spend",
      answer: ({ param, request }) =>
        Effect.gen(function*() {
          const device = request.headers.get("user-agent") ?? ""
          const before = yield* Effect.option(who.signedIn(request))
          const spent = yield* Effect.either(logins.spend({ secret: param("link"), device }))
          if (spent._tag === "Left") {
            const { Document, overPage, shown } = yield* views.effect
            const page = shown(site, request)
            return Document.reply(410, page, overPage(page))
          }
          // The cookie of whoever was signed in here is gone, and so is what it opened.
          if (before._tag === "Some") yield* ended(logins, before.value)
          const { next, secret } = spent.right
          return seeOther(site.link(nextOf(next) ?? "/dashboard"), { "set-cookie": who.cookie.keep(secret) })
        })
    }

    const out: Post = {
      ...sent,
      path: "/sign-out",
      name: "signIn.out",
      answer: ({ request }) =>
        Effect.gen(function*() {
          const here = yield* Effect.option(who.signedIn(request))
          if (here._tag === "Some") yield* ended(logins, here.value)
          return seeOther(site.link("/sign-in"), { "set-cookie": who.cookie.forget })
        })
    }

    return [ask, send, look, spend, out] as ReadonlyArray<AnyRoute>
  })
