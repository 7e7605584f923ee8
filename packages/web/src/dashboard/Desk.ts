import type { Actor, Scope } from "@trailbook/core/actor/Actor"
import { Changes } from "@trailbook/core/event/Changes"
import { conversationsList } from "@trailbook/core/operation/conversationOperations"
import type { Operation } from "@trailbook/core/operation/Operation"
import { orgGet } from "@trailbook/core/operation/orgOperations"
import { proposalsList } from "@trailbook/core/operation/proposalOperations"
import { Registry } from "@trailbook/core/operation/Registry"
import { Refusal } from "@trailbook/core/Refusal"
import * as Instant from "@trailbook/core/time/Instant"
import { moment } from "@trailbook/core/time/moment"
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
  type DeskAsked,
  type DeskPage,
  type DeskShown,
  mostWaiting,
  type View,
  type Waiting
} from "./View.ts"

type Signed = Exclude<Caller, "anybody">

interface Place {
  readonly path: `/dashboard${string}`
  /** What the log calls it, such as `dashboard.today`. */
  readonly name: string
  /** What somebody must be allowed to; `read` for pages and `write` for forms, when nothing is said. */
  readonly scope?: Scope
}

/**
 * Makes the routes of the dashboard from modules, each of which is loaded when it is first asked for.
 *
 * @category models
 */
export interface Desk {
  readonly page: (place: Place, load: () => Promise<{ readonly view: View }>) => AnyRoute
  /** What a form sends; it has no page of its own: what is refused is said on a page with a way back. */
  readonly action: (place: Place, load: () => Promise<{ readonly act: Act }>) => AnyRoute
  /** A page with a form that is sent to the page's own address. */
  readonly form: (
    place: Place,
    load: () => Promise<{ readonly view: View; readonly act: Act }>
  ) => readonly [AnyRoute, AnyRoute]
  /** A form that is answered with a file: what an operation tells in parts goes out while it is read. */
  readonly download: (
    place: Place,
    operation: Pick<Operation.Any, "name">,
    /** By the local date, such as `2027-05-01`. */
    nameOf: (shown: DeskShown, date: string) => string
  ) => AnyRoute
  /** The same with files: `act` finds those that were kept in the form, as `keptIn` of keptFiles.ts reads it. */
  readonly upload: Desk["form"]
  /** A file of a message, by the id in the path. */
  readonly file: (place: Place) => AnyRoute
  /** For a route that is made elsewhere: shows a page in the frame. */
  readonly show: (
    status: number,
    request: ShownFor,
    page: (shown: DeskShown) => DeskPage
  ) => Effect.Effect<Reply, Refusal | Failure, Actor>
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
    const shared = { failed: orSignIn(site) }

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
        return { run, request, param, login, head, query, shown, waiting } satisfies DeskAsked
      })

    const framed = (status: number, asked: DeskAsked, page: DeskPage) =>
      Effect.gen(function*() {
        const waits = yield* asked.waiting
        const { Document, framed } = yield* frame.effect
        return Document.reply(status, asked.shown, framed(asked, page, waits))
      })

    const shownBy = (status: number, asked: DeskAsked, view: View) =>
      Effect.flatMap(view(asked), (page) => framed(status, asked, page))

    const got = ({ name, path, scope = "read" }: Place, answer: Route<Signed, undefined>["answer"]): AnyRoute => {
      const caller = { scope, find: who.find } as const
      const route: Route<Signed, undefined> = { ...shared, method: "GET", path, name, caller, body: none, answer }
      return route
    }

    const sent = <Body>(
      { name, path, scope = "write" }: Place,
      body: BodyKind<Body>,
      answer: Route<Signed, Body>["answer"]
    ): AnyRoute => {
      const route: Route<Signed, Body> = {
        ...shared,
        method: "POST",
        path,
        name: `${name}.send`,
        caller: { scope, find: who.find },
        refuse: foreignForm(site),
        body,
        answer
      }
      return route
    }

    const get = (place: Place, view: Effect.Effect<View>): AnyRoute =>
      got(
        place,
        (request) => Effect.flatMap(Effect.all([askedOf(request), view]), ([asked, view]) => shownBy(200, asked, view))
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
              const { refusedPage } = yield* frame.effect
              return yield* framed(status, asked, refusedPage(asked, message))
            }))
        }))

    const download: Desk["download"] = (place, operation, nameOf) =>
      sent(place, form, (request) =>
        Effect.gen(function*() {
          const asked = yield* askedOf(request)
          const date = asked.shown.format.localDate(Instant.format(yield* moment))
          const reply = yield* Effect.either(told(200, (to) => tell(operation.name, {}, to), heldForReader))
          if (reply._tag === "Right") {
            return { ...reply.right, headers: fileHeaders(nameOf(asked.shown, date)) }
          }
          if (reply.left.kind !== "exhausted") return yield* reply.left
          const { refusedPage } = yield* frame.effect
          return yield* framed(429, asked, refusedPage(asked, reply.left.message))
        }))

    const shownAndSent = <Body>(
      place: Place,
      load: Parameters<Desk["form"]>[1],
      body: BodyKind<Body>,
      read: Read<Body>
    ) => {
      const module = lazily(load).effect
      const shown = Effect.map(module, ({ view }) => view)
      return [get({ ...place, scope: place.scope ?? "write" }, shown), post(place, module, body, read)] as const
    }

    return {
      download,
      page: (place, load) => get(place, Effect.map(lazily(load).effect, ({ view }) => view)),
      action: (place, load) => post(place, lazily(load).effect, form, asTyped),
      form: (place, load) => shownAndSent(place, load, form, asTyped),
      show: (status, request, page) =>
        Effect.flatMap(askedOf(request), (asked) => framed(status, asked, page(asked.shown))),
      upload: (place, load) => shownAndSent(place, load, withFiles, keep),
      file: (place) =>
        got(place, ({ actor: { orgId }, param }) => Effect.map(open(orgId, param("id").toLowerCase()), opened))
    }
  })

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
      proposals: proposals.data
    }),
    { concurrent: true }
  )
