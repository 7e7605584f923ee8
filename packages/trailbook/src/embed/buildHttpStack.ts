/** Builds the host application's HTTP handler. The first request loads this module. */
import { TrailbookError } from "@trailbook/client/TrailbookError"
import { type Refusal, refuse, unavailable } from "@trailbook/core"
import { makeHostActor } from "@trailbook/core/actor"
import { StaffMembers } from "@trailbook/core/staff"
import * as Handler from "@trailbook/http/handler"
import {
  attachmentRoutes,
  imageUploadRoute,
  photoRoute,
  photoUploadRoute
} from "@trailbook/http/request/attachmentRoutes"
import type { RequestAuthenticator } from "@trailbook/http/request/authentication"
import { makeIsCrossSite } from "@trailbook/http/request/isCrossSite"
import { exportDownloadRoute } from "@trailbook/http/response/exportDownloadRoute"
import * as JsonLog from "@trailbook/runtime/JsonLog"
import { ignoreMissingPackage } from "@trailbook/runtime/MissingPackage"
import { oauthTokenVerifier } from "@trailbook/runtime/service/oauthTokenVerifier"
import { makeReadinessCheck } from "@trailbook/runtime/service/readinessCheck"
import { staffPagesLayer } from "@trailbook/runtime/service/staffPagesLayer"
import { startMailReceivers } from "@trailbook/runtime/service/startMailReceivers"
import { makeGuestPages, makeStaffPages } from "@trailbook/web"
import type { HostAuthenticator } from "@trailbook/web/signIn/StaffAuth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { parseAuthorizedCaller } from "./option/parseDetails.ts"
import type { ParsedOptions } from "./option/parseOptions.ts"
import type { AuthorizedCaller, HttpOptions } from "./option/TrailbookOptions.ts"
import { mailerLayer } from "./service/hostLayers.ts"

type OwnOrgId = (slugOrId: string | undefined) => Promise<string>

export const buildHttpStack = (findOrgId: OwnOrgId, configuration: ParsedOptions) =>
  Effect.gen(function*() {
    const { files, http, log, logLevel, mailer = "none", publicUrl, replies, webhooks } = configuration
    const { authorize, basePath, rateLimitPerSecond, surfaces = ["rest"] } = http
    const baseUrl = publicUrl === undefined ? undefined : publicUrl + basePath
    const urlOptions = { basePath, publicUrl: baseUrl, trustedOrigins: http.trustedOrigins }
    // Without the optional package, the booking pages have no endpoint for guests' assistants.
    const mcpModule = surfaces.includes("mcp") || surfaces.includes("pages")
      ? yield* Effect.promise(() =>
        import("@trailbook/runtime/service/mcpMount").catch(ignoreMissingPackage("@trailbook/mcp"))
      )
      : undefined
    const guestPages = surfaces.includes("pages")
      ? yield* makeGuestPages(
        { ...urlOptions, widget: surfaces.includes("widget") },
        yield* mcpModule?.makeGuestAssistant(baseUrl) ?? Effect.succeed(undefined)
      )
      : undefined
    // This lookup creates the default outfitter, because the first call may be a guest's page request. It fails if the
    // database has several outfitters or no default is configured. Ignore the failure, because the pages work either
    // way.
    if (guestPages !== undefined) yield* Effect.ignore(Effect.tryPromise(() => findOrgId(undefined)))
    const staffMembers = yield* StaffMembers
    const staffRoutes = surfaces.includes("dashboard")
      ? yield* Effect.flatMap(
        Layer.build(staffPagesLayer(mailerLayer(mailer), webhooks?.allow)),
        (staffServices) =>
          Effect.provide(
            makeStaffPages(
              urlOptions,
              authorize === undefined ? undefined : makeHostSignIn(authorize, findOrgId, staffMembers)
            ),
            staffServices
          )
      )
      : undefined
    const mcpMounts = mcpModule !== undefined && surfaces.includes("mcp")
      ? [
        yield* mcpModule.makeMcpMount(
          baseUrl,
          staffRoutes === undefined || baseUrl === undefined ? undefined : yield* oauthTokenVerifier,
          undefined,
          yield* mcpModule.makeExportLinkCreator(baseUrl)
        )
      ]
      : []
    const { mount } = yield* startMailReceivers({
      basePath,
      replyDomain: replies?.domain,
      mailInSecret: replies?.secret,
      mailListen: undefined,
      mailCertificate: undefined,
      shutdownGraceSeconds: 10
    })
    const handler = yield* Handler.make({
      ready: yield* makeReadinessCheck,
      basePath,
      mounts: mcpMounts,
      routes: [
        ...files !== undefined && surfaces.includes("rest")
          ? [...yield* attachmentRoutes, yield* photoUploadRoute, yield* imageUploadRoute]
          : [],
        ...files !== undefined ? [yield* photoRoute] : [],
        ...surfaces.includes("mcp") ? [yield* exportDownloadRoute] : [],
        ...staffRoutes ?? [],
        ...guestPages?.routes ?? []
      ],
      ...(guestPages === undefined ? {} : { renderNotFound: guestPages.renderNotFound }),
      ...(surfaces.includes("rest") ? {} : { operations: "off" }),
      ...(publicUrl === undefined ? {} : { publicUrl }),
      // With custom authentication, the host application does its own rate limiting.
      rateLimit: authorize === undefined
        ? { perSecond: rateLimitPerSecond ?? 100 }
        : { perSecond: rateLimitPerSecond ?? 0, failuresPerMinute: 0 },
      ...(authorize === undefined
        ? {}
        : {
          authorize: makeAuthorize(authorize, findOrgId, makeIsCrossSite([publicUrl, ...http.trustedOrigins ?? []]))
        }),
      log: (entry) => {
        // Client errors are logged as `info`, because the host application logs its own requests.
        const level = entry.level === "warn" ? "info" : entry.level
        if (JsonLog.isLevelEnabled(level, logLevel)) log(JSON.stringify(entry))
      }
    })
    return mount(handler)
  })

const makeAuthorize = (
  authorize: NonNullable<HttpOptions["authorize"]>,
  findOrgId: OwnOrgId,
  isCrossSite: (request: Request) => boolean
): RequestAuthenticator =>
(request) =>
  Effect.gen(function*() {
    // Protect against CSRF. A browser also sends cookies with requests from another site's pages.
    if (isCrossSite(request)) return yield* refuse("unauthorized", "Requests from other sites are not allowed.")
    const signIn = yield* readSignIn(authorize, findOrgId, request)
    if (signIn === undefined) return yield* refuse("unauthorized", "Sign in first.")
    const { orgId: org, scopes, source } = signIn
    return { id: `host.${org}`, actor: makeHostActor({ orgId: org, source, scopes }) }
  })

/** Resolves the staff member who sent a dashboard request. */
const makeHostSignIn = (
  authorize: NonNullable<HttpOptions["authorize"]>,
  findOrgId: OwnOrgId,
  { addVerified: addVouched }: StaffMembers["Type"]
): HostAuthenticator =>
(request) =>
  Effect.flatMap(
    readSignIn(authorize, findOrgId, request),
    (signIn) =>
      signIn?.staff === undefined
        ? Effect.succeed(undefined)
        : addVouched({ ...signIn.staff, orgId: signIn.orgId })
  )

/** Runs `authorize` and validates its result. Returns undefined if the request is not signed in. */
const readSignIn = (authorize: NonNullable<HttpOptions["authorize"]>, findOrgId: OwnOrgId, request: Request) =>
  Effect.gen(function*() {
    // A function written in JavaScript may also return undefined or false.
    const result: AuthorizedCaller | null | undefined | false = yield* Effect.promise(async () => authorize(request))
    if (!result) return undefined
    const org = yield* Effect.tryPromise({ try: () => findOrgId(result.org), catch: (error) => error }).pipe(
      Effect.catchAll((error): Effect.Effect<never, Refusal<"unauthorized" | "unavailable">> => {
        if (!(error instanceof TrailbookError)) return Effect.die(error)
        return error.retryable
          ? unavailable(error.message)
          : refuse("unauthorized", "The outfitter for this sign-in does not exist.")
      })
    )
    const signIn = yield* Effect.mapError(
      parseAuthorizedCaller({ scopes: result.scopes, source: result.source, staff: result.staff }),
      ({ message }) => new TypeError(`http.authorize returned an invalid value: ${message}`)
    ).pipe(Effect.orDie)
    return { ...signIn, orgId: org }
  })
