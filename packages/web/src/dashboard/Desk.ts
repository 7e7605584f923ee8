import { Actor, type Scope } from "@trailbook/core/actor/Actor"
import { Changes } from "@trailbook/core/event/Changes"
import { conversationsList } from "@trailbook/core/operation/conversationOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgGet } from "@trailbook/core/operation/orgOperations"
import { proposalsList } from "@trailbook/core/operation/proposalOperations"
import { Registry } from "@trailbook/core/operation/Registry"
import { byUrgency } from "@trailbook/core/proposal/byUrgency"
import { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
import * as Zone from "@trailbook/core/time/Zone"
import { opened } from "@trailbook/http/attachments"
import * as Disposition from "@trailbook/http/disposition"
import type { Failure } from "@trailbook/http/Failure"
import { type Form, form } from "@trailbook/http/form"
import { none } from "@trailbook/http/noBody"
import type { Reply } from "@trailbook/http/Reply"
import type { AnyRoute, Asked, BodyKind, Caller, Route } from "@trailbook/http/Route"
import { told } from "@trailbook/http/told"
import * as Effect from "effect/Effect"
import { type Ask, ask } from "../ask.ts"
import { foreignForm } from "../foreignForm.ts"
import { lazily } from "../lazily.ts"
import { seeOther } from "../seeOther.ts"
import { orSignIn } from "../signIn/orSignIn.ts"
import type { Who } from "../signIn/Who.ts"
import type { Site } from "../Site.ts"
import { keeping, withFiles } from "./keptFiles.ts"
import {
  type Act,
  type Clock,
  type DeskAsked,
  type DeskPage,
  type DeskShown,
  mostWaiting,
  type View,
  type Waiting
} from "./View.ts"

type Signed = Exclude<Caller, "anybody">

/** Below `/dashboard`. */
type Path = "" | `/${string}`

/**
 * Makes the routes of a module, which is loaded when it is first asked for: where they are, what the log calls them
 * (`today` for `dashboard.today`), and what somebody must be allowed to, which is `read` for pages and `write` for forms
 * when nothing is said.
 */
type Makes<Module> = (path: Path, name: string, load: () => Promise<Module>, scope?: Scope) => ReadonlyArray<AnyRoute>

/**
 * Makes the routes of the dashboard.
 *
 * @category models
 */
export interface Desk {
  readonly page: Makes<{ readonly view: View }>
  /** What a form sends; what is refused is said on a page with a way back. */
  readonly action: Makes<{ readonly act: Act }>
  /** A page with a form that is sent to the page's own address. */
  readonly form: Makes<{ readonly view: View; readonly act: Act }>
  /** The same with files: `act` finds those that were kept in the form, as `keptIn` of keptFiles.ts reads it. */
  readonly upload: Desk["form"]
  /** A form that is answered with a file: what an operation tells in parts goes out while it is read. */
  readonly download: (
    path: Path,
    name: string,
    operation: Pick<Operation.Any, "name">,
    /** By the local date, such as `2027-05-01`. */
    nameOf: (shown: DeskShown, date: string) => string,
    scope: Scope
  ) => AnyRoute
  /** A file of a message, by the id in the path. */
  readonly file: (path: Path, name: string) => AnyRoute
  /** For a route that is made elsewhere: shows a page in the frame. */
  readonly show: (
    status: number,
    request: ShownFor,
    page: (shown: DeskShown) => DeskPage
  ) => Effect.Effect<Reply, Refusal | Failure, Actor>
}

interface Place {
  readonly path: Path
  readonly name: string
  readonly scope: Scope
}

type ShownFor = Pick<Asked<Signed, unknown>, "param" | "request">

/** What was typed, with the names of files that were kept, and why one was not. */
type Read<Body> = (orgId: string, body: Body) => Effect.Effect<readonly [form: Form, wrong?: Refusal]>

const asTyped: Read<Form> = (_, form) => Effect.succeed([form])

const frame = lazily(() => import("./frame/pages.ts"))

/** What was wrong with what somebody typed or chose, and not with who they are or how we are. */
const isAnswerable = (error: Refusal | Failure): error is Refusal =>
  error instanceof Refusal && answerable.has(error.kind)

const answerable: ReadonlySet<string> = new Set([
  "invalid",
  "conflict",
  "upstream",
  "exhausted",
  "too_large",
  "unsupported"
])

/**
 * @category constructors
 */
export const make = (site: Site, who: Who) =>
  Effect.map(Effect.all([ask, Changes, Registry, keeping]), ([run, changes, { tell }, { keep, open }]): Desk => {
    const placed = ({ name, path, scope }: Place) => ({
      path: `/dashboard${path}`,
      name: `dashboard.${name}`,
      caller: { scope, find: who.find },
      failed: orSignIn(site)
    } as const)

    const askedOf = ({ param, request }: ShownFor) =>
      Effect.gen(function*() {
        const { actor, login, member: me } = yield* who.signedIn(request)
        // Before anything is read that the page shows.
        const head = yield* changes.head(actor.orgId)
        const org = yield* run(orgGet, {})
        const { shownTo } = yield* frame.effect
        const shown = shownTo(site, request, { org, me, isOwner: actor.scopes.has("staff") })
        const query = (name: string) => shown.url.searchParams.get(name)?.trim() || undefined
        const waiting = yield* Effect.cached(waitingNow(run))
        const clock = clockAt(yield* moment, org.timezone)
        return { run, request, param, login, head, query, shown, clock, waiting } satisfies DeskAsked
      })

    const framed = (status: number, asked: DeskAsked, page: DeskPage) =>
      Effect.gen(function*() {
        const waits = yield* asked.waiting
        const { Document, framed } = yield* frame.effect
        return Document.reply(status, asked.shown, framed(asked, page, waits))
      })

    const shownBy = (status: number, asked: DeskAsked, view: View) =>
      Effect.flatMap(view(asked), (page) => framed(status, asked, page))

    const refused = (status: number, asked: DeskAsked, message: string) =>
      Effect.flatMap(frame.effect, ({ refusedPage }) => framed(status, asked, refusedPage(asked, message)))

    const got = (place: Place, answer: Route<Signed, undefined>["answer"]): AnyRoute => {
      const route: Route<Signed, undefined> = { ...placed(place), method: "GET", body: none, answer }
      return route
    }

    const sent = <Body>(place: Place, body: BodyKind<Body>, answer: Route<Signed, Body>["answer"]): AnyRoute => {
      const { name, ...at } = placed(place)
      const refuse = foreignForm(site)
      const route: Route<Signed, Body> = { ...at, name: `${name}.send`, method: "POST", refuse, body, answer }
      return route
    }

    const get = (place: Place, module: Effect.Effect<{ readonly view: View }>): AnyRoute =>
      got(
        place,
        (request) =>
          Effect.flatMap(Effect.all([askedOf(request), module]), ([asked, { view }]) => shownBy(200, asked, view))
      )

    const post = <Body>(
      place: Place,
      module: Effect.Effect<{ readonly act: Act; readonly view?: View }>,
      body: BodyKind<Body>,
      read: Read<Body>
    ): AnyRoute =>
      sent(place, body, (request) =>
        Effect.gen(function*() {
          const asked = yield* askedOf(request)
          const { act, view } = yield* module
          const [form, wrong] = yield* read(asked.shown.org.id, request.body)
          const answered: Effect.Effect<Reply, Refusal | Failure, Effect.Effect.Context<ReturnType<Act>>> = Effect
            .flatMap(
              wrong === undefined ? act({ ...asked, form }) : Effect.fail(wrong),
              (end) => typeof end === "string" ? Effect.succeed(seeOther(site.link(end))) : framed(200, asked, end)
            )
          return yield* Effect.catchIf(answered, isAnswerable, (error) =>
            Effect.gen(function*() {
              const { code, message } = error
              const status = ["invalid", "too_large", "unsupported"].includes(error.kind) ? 422 : 409
              if (view !== undefined) {
                return yield* shownBy(status, { ...asked, refused: { form, code, message } }, view)
              }
              return yield* refused(status, asked, message)
            }))
        }))

    const download: Desk["download"] = (path, name, operation, nameOf, scope) =>
      sent({ path, name, scope }, form, (request) =>
        Effect.gen(function*() {
          const asked = yield* askedOf(request)
          const date = asked.shown.format.localDate(asked.clock.stamp)
          const { orgId } = yield* Actor
          const reply = yield* Effect.either(told(200, (to) => tell(operation.name, {}, to), heldForReader, orgId))
          if (reply._tag === "Right") {
            return { ...reply.right, headers: fileHeaders(nameOf(asked.shown, date)) }
          }
          if (reply.left.kind !== "exhausted") return yield* reply.left
          return yield* refused(429, asked, reply.left.message)
        }))

    const shownAndSent = <Body>(body: BodyKind<Body>, read: Read<Body>): Desk["form"] => (path, name, load, scope) => {
      const place = { path, name, scope: scope ?? "write" }
      const module = lazily(load).effect
      return [get(place, module), post(place, module, body, read)]
    }

    return {
      page: (path, name, load, scope = "read") => [get({ path, name, scope }, lazily(load).effect)],
      action: (path, name, load, scope = "write") => {
        const module = Effect.map(lazily(load).effect, ({ act }) => ({ act }))
        return [post({ path, name, scope }, module, form, asTyped)]
      },
      form: shownAndSent(form, asTyped),
      upload: shownAndSent(withFiles, keep),
      download,
      file: (path, name) =>
        got(
          { path, name, scope: "read" },
          ({ actor: { orgId }, param }) => Effect.map(open(orgId, param("id").toLowerCase()), opened)
        ),
      show: (status, request, page) =>
        Effect.flatMap(askedOf(request), (asked) => framed(status, asked, page(asked.shown)))
    }
  })

const clockAt = (now: Instant.Instant, timezone: string): Clock => {
  const zone = Zone.get(timezone)
  return { now, stamp: Instant.format(now), zone, today: zone.dateAt(now) }
}

/** So many characters of a file wait for whoever saves it. */
const heldForReader = 1024 * 1024

const fileHeaders = (name: string) => ({
  "content-type": "application/json",
  "content-disposition": Disposition.header("attachment", name),
  "content-security-policy": "default-src 'none'; sandbox",
  "cache-control": "no-store"
})

/** Conversations that wait for a reply come first. */
const waitingNow = (run: Ask): Effect.Effect<Waiting, Refusal, Actor> =>
  Effect.zipWith(
    run(conversationsList, { status: "open", limit: mostWaiting }),
    run(proposalsList, { status: "pending", limit: mostWaiting }),
    (threads, proposals) => ({
      threads: threads.data.filter(({ needs_reply }) => needs_reply),
      proposals: proposals.data.toSorted(byUrgency)
    }),
    { concurrent: true }
  )
