import { orgGet } from "@trailbook/core/operation/orgOperations"
import { Passkeys } from "@trailbook/core/staff/Passkeys"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { type Form, form } from "@trailbook/http/form"
import type { AnyRoute, Asked, Caller } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { ask } from "../ask.ts"
import type { Desk } from "../dashboard/Desk.ts"
import { saying } from "../dashboard/frame/said.ts"
import { failed } from "../failed.ts"
import { foreignForm } from "../foreignForm.ts"
import { lazily } from "../lazily.ts"
import { get, post } from "../methods.ts"
import { seeOther } from "../seeOther.ts"
import { showing } from "../showing.ts"
import { nextOf, withNext } from "../signIn/next.ts"
import { orSignIn } from "../signIn/orSignIn.ts"
import type { Who } from "../signIn/Who.ts"
import type { Site } from "../Site.ts"
import { toAdd, toSignIn } from "./options.ts"
import { placeOf } from "./place.ts"

type Signed = Exclude<Caller, "anybody">

/**
 * Signing in with a passkey, and a person's own passkeys.
 *
 * @category constructors
 */
export const passkeyRoutes = (site: Site, who: Who, desk: Pick<Desk, "show">) =>
  Effect.gen(function*() {
    const passkeys = yield* Passkeys
    const run = yield* ask
    const { page } = showing(site, () => import("./PasskeyPages.tsx"))
    const pagesOfDesk = lazily(() => import("../dashboard/passkeys/PasskeysPage.tsx")).effect
    const sent = { body: form, refuse: foreignForm(site) }
    // An office has one address.
    const few = { ...sent, limits: [AddressLimit.make({ times: 30, minutes: 15 })] }
    const anybody = { failed: failed(site), caller: "anybody" } as const
    const looking = { ...anybody, limits: [AddressLimit.make({ times: 120 })] }
    const opening = { ...anybody, ...few }
    const signed = { failed: orSignIn(site), caller: { scope: "read", find: who.find } } as const
    const adding = { ...signed, ...few }

    /** Where browsers know no passkeys, somebody signs in by mail. */
    const byMail = (next: string | null) => seeOther(withNext(site.link("/sign-in"), next))

    const list = (status: number, asked: Asked<Signed, unknown>, wrong?: "unanswered" | "known") =>
      Effect.gen(function*() {
        const { member } = yield* who.signedIn(asked.request)
        const own = yield* passkeys.list(member)
        const { passkeysPage } = yield* pagesOfDesk
        const canAdd = placeOf(site, asked.request) !== undefined
        return yield* desk.show(status, asked, (shown) => passkeysPage(shown, { passkeys: own, canAdd, wrong }))
      })

    return [
      get(looking, "/sign-in/passkey", "passkey.page", ({ request }) => {
        const next = nextOf(new URL(request.url).searchParams.get("next"))
        return placeOf(site, request) === undefined
          ? Effect.succeed(byMail(next))
          : page(200, request, ({ signInPage }, shown) => signInPage(shown, { next }))
      }),
      post(opening, "/sign-in/passkey", "passkey.challenge", ({ body, request }) =>
        Effect.gen(function*() {
          const next = nextOf(body.next)
          const place = placeOf(site, request)
          if (place === undefined) return byMail(next)
          const options = toSignIn(place, yield* passkeys.challenge(null))
          return yield* page(200, request, ({ askingPage }, shown) => askingPage(shown, { next, options }))
        })),
      post(opening, "/sign-in/passkey/done", "passkey.signIn", ({ body, request }) =>
        Effect.gen(function*() {
          const next = nextOf(body.next)
          const place = placeOf(site, request)
          if (place === undefined) return byMail(next)
          const device = request.headers.get("user-agent") ?? ""
          const started = yield* Effect.either(passkeys.signIn({ answer: body.answer ?? "", place, device }))
          return yield* started._tag === "Right"
            ? who.signIn(request, started.right.secret, next)
            : page(403, request, ({ signInPage }, shown) => signInPage(shown, { isWrong: true, next }))
        })),
      get(signed, "/dashboard/passkeys", "passkey.list", (asked) => list(200, asked)),
      post(adding, "/dashboard/passkeys/new", "passkey.new", (asked) =>
        Effect.gen(function*() {
          const { body, request } = asked
          const place = placeOf(site, request)
          if (place === undefined) return yield* list(422, asked)
          const { member } = yield* who.signedIn(request)
          const own = yield* passkeys.list(member)
          const { name: org } = yield* run(orgGet, {})
          const options = toAdd(place, yield* passkeys.challenge(member.id), member, org, own)
          const { addingPage } = yield* pagesOfDesk
          return yield* desk.show(200, asked, (shown) => addingPage(shown, { options, name: nameOf(body) }))
        })),
      post(adding, "/dashboard/passkeys", "passkey.add", (asked) =>
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
        })),
      post({ ...signed, ...sent }, "/dashboard/passkeys/remove", "passkey.remove", ({ body, request }) =>
        Effect.gen(function*() {
          const { member: { id: staffId, orgId } } = yield* who.signedIn(request)
          // One that is gone is what was wanted.
          yield* Effect.ignore(passkeys.remove({ orgId, staffId, id: body.id ?? "" }))
          return seeOther(site.link(saying("/dashboard/passkeys", "passkeyRemoved")))
        }))
    ] as ReadonlyArray<AnyRoute>
  })

/** A device without a name is one all the same. */
const nameOf = ({ name = "" }: Form): string => name.trim().slice(0, 80) || "–"
