import { orgGet } from "@trailbook/core/org"
import {
  type Passkey,
  passkeyChallengeMinutes,
  Passkeys,
  type RelyingParty,
  type StaffMember
} from "@trailbook/core/staff"
import * as IpRateLimit from "@trailbook/http/limit/IpRateLimit"
import { type Form, formBody } from "@trailbook/http/request/formBody"
import type { AcceptedCallers, AnyRoute, RouteRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { redirectTo } from "../dashboard/frame/getFlashMessage.ts"
import type { DashboardRouter } from "../dashboard/router.ts"
import { checkFormOrigin, get, post, seeOther } from "../defineRoute.ts"
import { makeOperationCaller } from "../operationCaller.ts"
import { makeErrorRenderer, makePageRenderer } from "../pageRenderer.ts"
import { addNextParameter, makeStaffErrorRenderer, parseNextPath, type StaffAuth } from "../signIn/StaffAuth.ts"
import { getSiteRoot, type Site } from "../Site.ts"

type SignedInCaller = Exclude<AcceptedCallers, "anyone">

/** Creates the routes for passkey sign-in, and for staff members to manage their passkeys. */
export const passkeyRoutes = (site: Site, staffAuth: StaffAuth, dashboard: Pick<DashboardRouter, "showPasskeys">) =>
  Effect.gen(function*() {
    const passkeys = yield* Passkeys
    const run = yield* makeOperationCaller
    const { page, views } = makePageRenderer(site, () => import("./PasskeyPages.tsx"))
    const formDefaults = { body: formBody, refuse: checkFormOrigin(site) }
    // All staff members in an office may share one IP address.
    const limitedForm = { ...formDefaults, limits: [IpRateLimit.make({ times: 30, minutes: 15 })] }
    const publicDefaults = { renderError: makeErrorRenderer(site), caller: "anyone" } as const
    const viewDefaults = { ...publicDefaults, limits: [IpRateLimit.make({ times: 120 })] }
    const signInDefaults = { ...publicDefaults, ...limitedForm }
    const staffDefaults = {
      renderError: makeStaffErrorRenderer(site),
      caller: { scope: "read", find: staffAuth.find }
    } as const
    const addDefaults = { ...staffDefaults, ...limitedForm }

    /** Redirects to sign-in by email if passkeys are not supported at this address. */
    const redirectToEmail = (next: string | null) => seeOther(addNextParameter(site.link("/sign-in"), next))

    const renderList = (
      status: number,
      routeRequest: RouteRequest<SignedInCaller, unknown>,
      error?: "unanswered" | "known"
    ) =>
      Effect.gen(function*() {
        const { member } = yield* staffAuth.authenticate(routeRequest.request)
        const ownPasskeys = yield* passkeys.list(member)
        const { passkeysPage } = yield* views
        const canAdd = toRelyingParty(site, routeRequest.request) !== undefined
        return yield* dashboard.showPasskeys(status, routeRequest, (context) =>
          passkeysPage(context, { passkeys: ownPasskeys, canAdd, wrong: error }))
      })

    return [
      get(viewDefaults, "/sign-in/passkey", "passkey.page", ({ request }) => {
        const next = parseNextPath(new URL(request.url).searchParams.get("next"))
        return toRelyingParty(site, request) === undefined
          ? Effect.succeed(redirectToEmail(next))
          : page(200, request, ({ signInPage }, context) => signInPage(context, { next }))
      }),
      post(signInDefaults, "/sign-in/passkey", "passkey.challenge", ({ body, request }) =>
        Effect.gen(function*() {
          const next = parseNextPath(body.next)
          const relyingParty = toRelyingParty(site, request)
          if (relyingParty === undefined) return redirectToEmail(next)
          const options = requestOptions(relyingParty, yield* passkeys.challenge(null))
          return yield* page(200, request, ({ passkeyPromptPage: devicePromptPage }, context) =>
            devicePromptPage(context, { next, options }))
        })),
      post(signInDefaults, "/sign-in/passkey/done", "passkey.signIn", ({ body, request }) =>
        Effect.gen(function*() {
          const next = parseNextPath(body.next)
          const relyingParty = toRelyingParty(site, request)
          if (relyingParty === undefined) return redirectToEmail(next)
          const device = request.headers.get("user-agent") ?? ""
          const signInResult = yield* Effect.either(
            passkeys.signIn({ answer: body.answer ?? "", place: relyingParty, device })
          )
          return yield* signInResult._tag === "Right"
            ? staffAuth.signIn(request, signInResult.right.secret, next)
            : page(403, request, ({ signInPage }, context) => signInPage(context, { isWrong: true, next }))
        })),
      get(staffDefaults, "/dashboard/passkeys", "passkey.list", (routeRequest) => renderList(200, routeRequest)),
      post(addDefaults, "/dashboard/passkeys/new", "passkey.new", (routeRequest) =>
        Effect.gen(function*() {
          const { body, request } = routeRequest
          const relyingParty = toRelyingParty(site, request)
          if (relyingParty === undefined) return yield* renderList(422, routeRequest)
          const { member } = yield* staffAuth.authenticate(request)
          const ownPasskeys = yield* passkeys.list(member)
          const { name: org } = yield* run(orgGet, {})
          const options = creationOptions(relyingParty, yield* passkeys.challenge(member.id), member, org, ownPasskeys)
          const { addPasskeyPage } = yield* views
          return yield* dashboard.showPasskeys(200, routeRequest, (context) =>
            addPasskeyPage(context, { options, name: parseName(body) }))
        })),
      post(addDefaults, "/dashboard/passkeys", "passkey.add", (routeRequest) =>
        Effect.gen(function*() {
          const { body, request } = routeRequest
          const relyingParty = toRelyingParty(site, request)
          if (relyingParty === undefined) return yield* renderList(422, routeRequest)
          const { member } = yield* staffAuth.authenticate(request)
          const addResult = yield* Effect.either(
            passkeys.add({ member, name: parseName(body), answer: body.answer ?? "", place: relyingParty })
          )
          if (addResult._tag === "Right") {
            return seeOther(site.link(redirectTo("/passkeys", "passkeyAdded")))
          }
          if (addResult.left._tag === "Refusal") return yield* addResult.left
          return yield* renderList(422, routeRequest, addResult.left.reason === "unanswered" ? "unanswered" : "known")
        })),
      post(
        { ...staffDefaults, ...formDefaults },
        "/dashboard/passkeys/remove",
        "passkey.remove",
        ({ body, request }) =>
          Effect.gen(function*() {
            const { member: { id: staffId, orgId } } = yield* staffAuth.authenticate(request)
            // Removing a passkey that no longer exists is not an error.
            yield* Effect.ignore(passkeys.remove({ orgId, staffId, id: body.id ?? "" }))
            return seeOther(site.link(redirectTo("/passkeys", "passkeyRemoved")))
          })
      )
    ] as ReadonlyArray<AnyRoute>
  })

/** Returns a passkey's name, or a dash if the form has none. */
const parseName = ({ name = "" }: Form): string => name.trim().slice(0, 80) || "–"

// WebAuthn options as JSON. Passkeys are discoverable, so users do not type a username, and user verification is
// required. Attestation is not requested.

const timeout = passkeyChallengeMinutes * 60_000

const requestOptions = ({ host }: RelyingParty, challenge: string): object => ({
  challenge,
  rpId: host,
  timeout,
  userVerification: "required",
  allowCredentials: []
})

const creationOptions = (
  { host }: RelyingParty,
  challenge: string,
  { email, id, name }: StaffMember,
  /** The org's display name. */
  org: string,
  passkeys: ReadonlyArray<Passkey>
): object => ({
  challenge,
  rp: { id: host, name: org },
  // The user handle that the authenticator returns at sign-in. It identifies the staff member and does not contain an
  // email address.
  user: { id: Buffer.from(id).toString("base64url"), name: email, displayName: name === "" ? email : name },
  // Ed25519, ES256, and RS256, in order of preference.
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
  timeout,
  attestation: "none",
  // Prevents a staff member from adding a second passkey on the same device.
  excludeCredentials: passkeys.map(({ id }) => ({ type: "public-key", id })),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" }
})

/**
 * Returns the relying party for WebAuthn, or undefined if browsers do not support passkeys at this address, such as an
 * IP address or an insecure origin.
 */
export const toRelyingParty = (site: Site, request: Request): RelyingParty | undefined => {
  const root = getSiteRoot(site, request)
  if (root === undefined) return undefined
  const { hostname: host, origin, protocol } = new URL(root)
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[")
  return isNumber || (protocol !== "https:" && host !== "localhost") ? undefined : { origin, host }
}
