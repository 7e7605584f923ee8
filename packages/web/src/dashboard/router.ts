import { Refusal } from "@trailbook/core"
import { Actor, isPermitted, refundPermission, type Scope } from "@trailbook/core/actor"
import { conversationsList } from "@trailbook/core/conversation"
import { ChangeNotifier } from "@trailbook/core/event"
import { Registry } from "@trailbook/core/operation"
import { getUnits, orgExport, orgGet } from "@trailbook/core/org"
import { UnitOfWork } from "@trailbook/core/port"
import { compareByUrgency, proposalsList } from "@trailbook/core/proposal"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as Zone from "@trailbook/core/time/Zone"
import type { HttpFailure } from "@trailbook/http/HttpFailure"
import { makeFileReply } from "@trailbook/http/request/attachmentRoutes"
import { type Form, formBody } from "@trailbook/http/request/formBody"
import * as Disposition from "@trailbook/http/response/disposition"
import type { Reply } from "@trailbook/http/response/Reply"
import { maxUnreadCharacters, streamReply } from "@trailbook/http/response/streamReply"
import type { AcceptedCallers, AnyRoute, BodyKind, Route, RouteRequest } from "@trailbook/http/Route"
import * as Effect from "effect/Effect"
import { checkFormOrigin, get, post, seeOther } from "../defineRoute.ts"
import { makeOperationCaller, type OperationCaller } from "../operationCaller.ts"
import { makeStaffErrorRenderer, type StaffAuth } from "../signIn/StaffAuth.ts"
import type { Site } from "../Site.ts"
import * as Format from "../text/Format.ts"
import { detectReaderLocale, getText } from "../text/Text.ts"
import * as Document from "../ui/Document.tsx"
import { filesFormBody, makeFormUploads } from "./formUploads.ts"
import { refusalPage, renderFrame } from "./frame/Frame.tsx"
import { collectPages, type Page } from "./kit/page.tsx"
import {
  type DashboardPath,
  type FormAction,
  maxPendingCount,
  type PageClock,
  type PageContent,
  type PageContext,
  type PageHandler,
  type PendingItems,
  renderInPage
} from "./Page.ts"
import * as pages from "./pages.ts"

type SignedInCaller = Exclude<AcceptedCallers, "anyone">

export type DashboardRouter = Effect.Effect.Success<ReturnType<typeof make>>

interface RouteSpec {
  readonly path: DashboardPath
  readonly name: string
  readonly scope: Scope
}

type PageRequest = Pick<RouteRequest<SignedInCaller, unknown>, "param" | "request">

/** The form with the typed values and the names of the stored files, and a refusal if a file was rejected. */
type FormReader<Body> = (orgId: string, body: Body) => Effect.Effect<readonly [form: Form, wrong?: Refusal]>

const readPlainForm: FormReader<Form> = (_, form) => Effect.succeed([form])

/** Whether the user can fix a refusal in the form, unlike an authorization or server error. */
const isFixable = (error: Refusal | HttpFailure): error is Refusal =>
  error instanceof Refusal && fixableKinds.has(error.kind)

const fixableKinds: ReadonlySet<string> = new Set([
  "invalid",
  "conflict",
  "upstream",
  "exhausted",
  "too_large",
  "unsupported"
])

export const make = (site: Site, staffAuth: StaffAuth) =>
  Effect.map(
    Effect.all([makeOperationCaller, ChangeNotifier, Registry, UnitOfWork, makeFormUploads]),
    ([run, changes, { stream }, { queryAll }, { keep, open }]) => {
      const makeRouteOptions = ({ scope }: RouteSpec) => ({
        caller: { scope, find: staffAuth.find },
        renderError: makeStaffErrorRenderer(site)
      } as const)

      const loadContext = ({ param, request }: PageRequest, path: DashboardPath) =>
        Effect.gen(function*() {
          const { actor, login, member: me } = yield* staffAuth.authenticate(request)
          // Read the change counter before any other data on the page, so that no later change is missed.
          const head = yield* changes.head(actor.orgId)
          const org = yield* run(orgGet, {})
          const isOwner = actor.scopes.has("staff")
          const context = makeRenderContext(site, request, { org, me, isOwner })
          const query = (name: string) => context.url.searchParams.get(name)?.trim() || undefined
          const pendingWork = yield* Effect.cached(loadPending(run, queryAll, actor))
          const clock = makeClock(yield* currentTime, org.timezone)
          // The spread comes last, because in Node.js 20, every field after a spread costs 4 µs.
          return {
            clock,
            head,
            login,
            mayRefund: isPermitted(actor, refundPermission),
            param,
            query,
            request,
            run,
            pendingCounts: pendingWork,
            path: fillPath(path, param),
            id: param("id"),
            now: Instant.format(clock.now),
            form: {},
            ...context
          } satisfies PageContext
        })

      const renderPage = (status: number, context: PageContext, page: PageContent) =>
        Effect.map(
          context.pendingCounts,
          (counts) =>
            renderInPage(context, () => Document.makePageReply(status, context, renderFrame(context, page, counts)))
        )

      const renderView = (status: number, context: PageContext, view: PageHandler) =>
        Effect.flatMap(view(context), (page) => renderPage(status, context, page))

      const renderRefusal = (status: number, context: PageContext, message: string) =>
        renderPage(status, context, refusalPage(context, message))

      const makeGetRoute = (spec: RouteSpec, answer: Route<SignedInCaller, undefined>["answer"]): AnyRoute =>
        get(makeRouteOptions(spec), `/dashboard${spec.path}`, `dashboard.${spec.name}`, answer)

      const makePostRoute = <Body>(
        spec: RouteSpec,
        body: BodyKind<Body>,
        answer: Route<SignedInCaller, Body>["answer"]
      ): AnyRoute =>
        post(
          { ...makeRouteOptions(spec), refuse: checkFormOrigin(site), body },
          `/dashboard${spec.path}`,
          `dashboard.${spec.name}.send`,
          answer
        )

      const makeFormRoute = <Body>(
        spec: RouteSpec,
        submit: FormAction,
        view: PageHandler | undefined,
        body: BodyKind<Body>,
        readForm: FormReader<Body>
      ): AnyRoute =>
        makePostRoute(spec, body, (request) =>
          Effect.gen(function*() {
            const context = yield* loadContext(request, spec.path)
            const [form, refusal] = yield* readForm(context.org.id, request.body)
            const reply: Effect.Effect<Reply, Refusal | HttpFailure, Actor> = Effect.flatMap(
              refusal === undefined ? submit({ ...context, form }) : Effect.fail(refusal),
              (result) =>
                typeof result === "string"
                  ? Effect.succeed(seeOther(site.link(result)))
                  : renderPage(200, context, result)
            )
            return yield* Effect.catchIf(reply, isFixable, (error) =>
              Effect.gen(function*() {
                const { code, message } = error
                const status = ["invalid", "too_large", "unsupported"].includes(error.kind) ? 422 : 409
                return yield* view === undefined
                  ? renderRefusal(status, context, message)
                  : renderView(status, { ...context, form, rejection: { form, code, message } }, view)
              }))
          }))

      /** Streams the export as a file. */
      const exportRoute = makePostRoute({ path: "/export", name: "export", scope: "staff" }, formBody, (request) =>
        Effect.gen(function*() {
          const context = yield* loadContext(request, "/export")
          const { format, now, org } = context
          const reply = yield* Effect.either(
            streamReply(
              200,
              (emit) =>
                stream(orgExport.name, {}, emit),
              maxUnreadCharacters,
              org.id
            )
          )
          if (reply._tag === "Right") {
            return { ...reply.right, headers: fileHeaders(`${org.slug}-${format.localDate(now)}.json`) }
          }
          if (reply.left.kind !== "exhausted") {
            return yield* reply.left
          }
          return yield* renderRefusal(429, context, reply.left.message)
        }))

      /** Opens a file in a message. */
      const fileRoute = makeGetRoute(
        { path: "/files/:id", name: "file", scope: "read" },
        ({ actor: { orgId }, param }) =>
          Effect.map(open(orgId, param("id").toLowerCase()), makeFileReply)
      )

      const makeCsvRoute = ({ name, path, scope }: RouteSpec, file: NonNullable<Page["file"]>): AnyRoute =>
        makeGetRoute({ scope, path: `/${path.slice(1)}.csv`, name: `${name}.csv` }, (request) =>
          Effect.gen(function*() {
            const context = yield* loadContext(request, path)
            const headers = fileHeaders(
              `${context.org.slug}-${name.slice(name.lastIndexOf(".") + 1)}.csv`,
              "text/csv; charset=utf-8"
            )
            return { status: 200, body: yield* file(context), headers }
          }))

      const makePageRoutes = ({ access: scope, file, path, submit, uploads, view }: Page): ReadonlyArray<AnyRoute> => {
        const spec = { path, name: path.slice(1).replaceAll("/", ".").replaceAll(":", "") || "today", scope }
        return [
          ...view === undefined ? [] : [
            makeGetRoute(
              spec,
              (request) =>
                Effect.flatMap(loadContext(request, path), (context) => renderView(200, context, view))
            )
          ],
          ...file === undefined ? [] : [makeCsvRoute(spec, file)],
          ...submit === undefined ? [] : [
            uploads
              ? makeFormRoute(spec, submit, view, filesFormBody, keep)
              : makeFormRoute(spec, submit, view, formBody, readPlainForm)
          ]
        ]
      }

      return {
        /**
         * The routes for signed-in staff members. Fixed path segments precede parameters, because the first matching
         * route wins.
         */
        routes: [...collectPages(pages).flatMap(makePageRoutes), exportRoute, fileRoute]
          .toSorted((a, b) => a.path.replaceAll(":", "~") < b.path.replaceAll(":", "~") ? -1 : 1),
        /** Renders one of the passkey pages in the dashboard frame. Their routes are defined elsewhere. */
        showPasskeys: (status: number, request: PageRequest, page: (context: PageContext) => PageContent) =>
          Effect.flatMap(loadContext(request, "/passkeys"), (context) => renderPage(status, context, page(context)))
      }
    }
  )

const makeRenderContext = (
  site: Site,
  request: Request,
  { isOwner, me, org }: Pick<PageContext, "org" | "me" | "isOwner">
) => {
  const detectedReader = detectReaderLocale(request)
  const reader = detectedReader.language === "en" ? detectedReader : { language: "en", locale: "en-US" } as const
  const { currency, timezone } = org
  return {
    site,
    url: new URL(request.url),
    org,
    me,
    isOwner,
    reader,
    text: getText("en"),
    accent: undefined,
    isEmbedded: false,
    format: Format.make(reader, { currency, timezone, ...getUnits(org) === "us" ? { hour12: true } : {} })
  }
}

const fillPath = (path: DashboardPath, param: (name: string) => string): DashboardPath =>
  path === "" ? path : `/${path.slice(1).replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(param(name)))}`

const makeClock = (now: Instant.Instant, timezone: string): PageClock => {
  const zone = Zone.get(timezone)
  return { now, zone, today: zone.dateAt(now) }
}

const fileHeaders = (name: string, type = "application/json") => ({
  "content-type": type,
  "content-disposition": Disposition.format("attachment", name),
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "no-store"
})

/**
 * Reads the pending counts. Unanswered conversations come first, so a short page is enough. Proposals are sorted by
 * time, not by urgency, so all of them are read.
 */
const loadPending = (
  run: OperationCaller,
  queryAll: UnitOfWork["Type"]["queryAll"],
  actor: Actor["Type"]
): Effect.Effect<PendingItems, Refusal> =>
  Effect.map(
    queryAll({
      conversations: Effect.provideService(
        run(conversationsList, { status: "open", limit: maxPendingCount }),
        Actor,
        actor
      ),
      proposals: Effect.provideService(run(proposalsList, { status: "pending", limit: 500 }), Actor, actor)
    }),
    ({ conversations, proposals }) => ({
      conversations: conversations.data.filter(({ needs_reply }) => needs_reply),
      proposals: proposals.data.toSorted(compareByUrgency)
    })
  )
