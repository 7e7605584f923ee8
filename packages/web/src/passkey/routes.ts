import { orgGet } from "@trailbook/core/operation/orgOperations"
import { Logins } from "@trailbook/core/staff/Logins"
import { Passkeys } from "@trailbook/core/staff/Passkeys"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { AnyRoute, Asked, Caller, Route } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import type { Desk } from "../dashboard/Desk.ts"
import { saying } from "../dashboard/frame/said.ts"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { lazily } from "../lazily.ts"
import { seeOther } from "../seeOther.ts"
import { ended } from "../signIn/ended.ts"
import { nextOf } from "../signIn/next.ts"
import { orSignIn } from "../signIn/orSignIn.ts"
import type { Who } from "../signIn/Who.ts"
import type { Site } from "../Site.ts"
import { toAdd, toSignIn } from "./options.ts"
import { placeOf } from "./place.ts"

const views = lazily(() => import("./pages.ts"))
const pagesOfDesk = lazily(() => import("../dashboard/passkeys/PasskeysPage.tsx"))

type Signed = Exclude<Caller, "anybody">

/**
 * Signing in with a passkey, and a person's own passkeys.
 *
 * @category constructors
 */
export const passkeyRoutes = (site: Site, who: Who, desk: Pick<Desk, "show">) =>
  Effect.gen(function*() {
    const passkeys = yield* Passkeys
    const logins = yield* Logins
    const run = yield* ask
    const open = { caller: "anybody", failed: failed(site) } as const
    const signed = { failed: orSignIn(site), caller: { scope: "read", find: who.find } } as const
    const page = { method: "GET", body: none } as const
    const sent = { method: "POST", body: form, refuse: foreignForm(site) } as const
    // An office has one address.
    const few = [AddressLimit.make({ times: 30, minutes: 15 })]

    const begin: Route<"anybody", undefined> = {
      ...open,
      ...page,
      limits: [AddressLimit.make({ times: 120 })],
      path: "/sign-in/passkey",
      name: "passkey.page",
      answer: ({ request }) =>
        Effect.gen(function*() {
          const next = nextOf(new URL(request.url).searchParams.get("next"))
          if (placeOf(site, request) === undefined) return seeOther(withNext(site, next))
          const { Document, shown, signInPage } = yield* views.effect
          const page = shown(site, request)
          return Document.reply(200, page, signInPage(page, { next }))
        })
    }

    const challenge: Route<"anybody", Form> = {
      ...open,
      ...sent,
      limits: few,
      path: "/sign-in/passkey",
      name: "passkey.challenge",
      answer: ({ body, request }) =>
        Effect.gen(function*() {
          const next = nextOf(body.next)
          const place = placeOf(site, request)
          if (place === undefined) return seeOther(withNext(site, next))
          const asked = toSignIn(place, yield* passkeys.challenge(null))
          const { Document, askingPage, shown } = yield* views.effect
          const page = shown(site, request)
          return Document.reply(
            200,
            page,
            askingPage(page, { next, options: asked })
          )
        })
    }

    const signIn: Route<"anybody", Form> = {
      ...open,
      ...sent,
      limits: few,
      path: "/sign-in/passkey/done",
      name: "passkey.signIn",
      answer: ({ body, request }) =>
        Effect.gen(function*() {
          const next = nextOf(body.next)
          const place = placeOf(site, request)
          if (place === undefined) return seeOther(withNext(site, next))
          const before = yield* Effect.option(who.signedIn(request))
          const device = request.headers.get("user-agent") ?? ""
          const started = yield* Effect.either(passkeys.signIn({ answer: body.answer ?? "", place, device }))
          if (started._tag === "Left") {
            const { Document, shown, signInPage } = yield* views.effect
            const page = shown(site, request)
            return Document.reply(403, page, signInPage(page, { isWrong: true, next }))
          }
          if (before._tag === "Some") yield* ended(logins, before.value)
          return seeOther(site.link(next ?? "/dashboard"), { "set-cookie": who.cookie.keep(started.right.secret) })
        })
    }

    const list = (status: number, request: Asked<Signed, unknown>, wrong?: "unanswered" | "known") =>
      Effect.gen(function*() {
        const { member } = yield* who.signedIn(request.request)
        const own = yield* passkeys.list(member)
        const { passkeysPage } = yield* pagesOfDesk.effect
        const canAdd = placeOf(site, request.request) !== undefined
        return yield* desk.show(status, request, (shown) => passkeysPage(shown, { passkeys: own, canAdd, wrong }))
      })

    const show: Route<Signed, undefined> = {
      ...signed,
      ...page,
      path: "/dashboard/passkeys",
      name: "passkey.list",
      answer: (request) => list(200, request)
    }

    const begun: Route<Signed, Form> = {
      ...signed,
      ...sent,
      limits: few,
      path: "/dashboard/passkeys/new",
      name: "passkey.new",
      answer: (asked) =>
        Effect.gen(function*() {
          const { body, request } = asked
          const place = placeOf(site, request)
          if (place === undefined) return yield* list(422, asked)
          const { member } = yield* who.signedIn(request)
          const own = yield* passkeys.list(member)
          const { name: org } = yield* run(orgGet, {})
          const options = toAdd(place, yield* passkeys.challenge(member.id), member, org, own)
          const { addingPage } = yield* pagesOfDesk.effect
          return yield* desk.show(200, asked, (shown) => addingPage(shown, { options, name: nameOf(body) }))
        })
    }

    const add: Route<Signed, Form> = {
      ...signed,
      ...sent,
      limits: few,
      path: "/dashboard/passkeys",
      name: "passkey.add",
      answer: (asked) =>
        Effect.gen(function*() {
          const { body, request } = asked
          const place = placeOf(site, request)
          if (place === undefined) return yield* list(422, asked)
          const { member } = yield* who.signedIn(request)
          const added = yield* Effect.either(
            passkeys.add({ member, name: nameOf(body), answer: body.answer ?? "", place })
          )
          if (added._tag === "Right") return seeOther(site.link(saying("/dashboard/passkeys", "passkeyAdded")))
          if (added.left._tag === "Refusal") return yield* added.left
          return yield* list(422, asked, added.left.why === "unanswered" ? "unanswered" : "known")
        })
    }

    const remove: Route<Signed, Form> = {
      ...signed,
      ...sent,
      path: "/dashboard/passkeys/remove",
      name: "passkey.remove",
      answer: ({ body, request }) =>
        Effect.gen(function*() {
          const { member: { id: staffId, orgId } } = yield* who.signedIn(request)
          // One that is gone is what was wanted.
          yield* Effect.ignore(passkeys.remove({ orgId, staffId, id: body.id ?? "" }))
          return seeOther(site.link(saying("/dashboard/passkeys", "passkeyRemoved")))
        })
    }

    return [begin, challenge, signIn, show, begun, add, remove] as ReadonlyArray<AnyRoute>
  })

/** A device without a name is one all the same. */
const nameOf = ({ name = "" }: Form): string => name.trim().slice(0, 80) || "–"

const withNext = (site: Site, next: string | null): string =>
  next === null ? site.link("/sign-in") : `${site.link("/sign-in")}?${new URLSearchParams({ next }).toString()}`
