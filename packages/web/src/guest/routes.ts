/**
 * The pages of a booking, below its handle. What they do is `guestOperations`; here it is read off a request and
 * answered with a page. Opening one changes nothing, also not the one that a mailed link leads to.
 */
import { Guests } from "@trailbook/core/booking/Guests"
import { Attachments, tooLarge } from "@trailbook/core/file/Attachments"
import { maxFileBytes, maxFilesOfMessage } from "@trailbook/core/file/StoredFile"
import {
  guestAvailability,
  guestCalendar,
  guestCancel,
  guestCheckout,
  guestFile,
  guestGet,
  guestLink,
  guestMove,
  guestOpen,
  guestRead,
  guestWrite
} from "@trailbook/core/operation/guestOperations"
import type { GuestPageView } from "@trailbook/core/operation/GuestView"
import { type Refusal, refuse } from "@trailbook/core/Refusal"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { moment } from "@trailbook/core/time/moment"
import * as AddressLimit from "@trailbook/http/AddressLimit"
import { opened } from "@trailbook/http/attachments"
import { Failure } from "@trailbook/http/Failure"
import { type Form, form } from "@trailbook/http/form"
import { type FormWithFiles, formWithFiles } from "@trailbook/http/formWithFiles"
import { none } from "@trailbook/http/noBody"
import type { Reply } from "@trailbook/http/Reply"
import type { AnyRoute, Asked, Caller, Route } from "@trailbook/http/Route"
import * as Turns from "@trailbook/http/Turns"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ask } from "../ask.ts"
import { failed } from "../failed.ts"
import { lazily } from "../lazily.ts"
import type { Site } from "../Site.ts"
import { href } from "../ui/href.ts"
import type { Done } from "./pages.ts"

type AsGuest = Exclude<Caller, "anybody">
type Of<Body> = Asked<AsGuest, Body>

const views = lazily(() => import("./pages.ts"))

/** How many days of starts are shown to choose from. */
const shownDays = 14

/**
 * @category constructors
 */
export const guestRoutes = (site: Site) =>
  Effect.gen(function*() {
    const attachments = Option.getOrUndefined(yield* Effect.serviceOption(Attachments))
    const { at } = yield* Guests
    const run = yield* ask
    const turns = Turns.make({ each: 2, all: 4 })

    const unknown = AddressLimit.make({ times: 30 })
    const caller: AsGuest = {
      scope: "guest",
      // Who tries handles is told to wait before long; whoever has one is not.
      find: ({ address, param }) =>
        Effect.catchAll(at(param("handle")), (missing) =>
          Effect.flatMap(moment, (now): Effect.Effect<never, Refusal<"not_found" | "rate_limited">> =>
            Effect.fail(AddressLimit.refused([unknown], address, now) ?? missing)))
    }
    const page = { caller, failed: failed(site), limits: [AddressLimit.make({ times: 240 })] }
    const changing = {
      ...page,
      limits: [AddressLimit.make({ times: 60 })],
      refuse: (request: Request) =>
        site.isForeign(request) ? foreign : undefined
    }

    const read = (request: Request): Effect.Effect<GuestPageView, Refusal, ActorOf> => {
      const pass = passOf(request)
      return run(guestGet, pass === undefined ? {} : { pass })
    }

    /** Everything that a view needs, read as one. */
    const looked = (request: Request) =>
      Effect.gen(function*() {
        const page = yield* read(request)
        const { Document, shownOf, ...made } = yield* views.effect
        const shown = shownOf(site, request, page.org)
        return { ...made, page, shown, reply: Document.reply }
      })

    const to = (request: Request, path: `/${string}`, query: Record<string, string> = {}, place = ""): Reply => ({
      status: 303,
      body: null,
      headers: { location: href({ site, url: new URL(request.url) }, path, query) + place, "cache-control": "no-store" }
    })

    const home: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle",
      name: "guest.page",
      body: none,
      answer: ({ actor, request }) =>
        turns(
          actor.orgId,
          Effect.gen(function*() {
            const { guestPage, page, reply, shown } = yield* looked(request)
            return reply(200, shown, guestPage(shown, page, { done: doneOf(shown.url), formKey: crypto.randomUUID() }))
          })
        )
    }

    const calendar: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/calendar.ics",
      name: "guest.calendar",
      body: none,
      answer: ({ param, request }) =>
        Effect.gen(function*() {
          const path = `/b/${param("handle")}` as const
          const { ics } = yield* run(guestCalendar, {
            page: site.absolute(path) ?? new URL(site.link(path), request.url).href
          })
          return {
            status: 200,
            body: ics,
            headers: {
              "content-type": "text/calendar; charset=utf-8; method=PUBLISH",
              "content-disposition": `attachment; filename="booking.ics"`,
              "cache-control": "no-store",
              "referrer-policy": "no-referrer"
            }
          }
        })
    }

    /** The days of starts around a date that was asked for, from today on. */
    const choose = (request: Request, given: URLSearchParams | Form, wrong: "lost" | "choose" | undefined) =>
      Effect.gen(function*() {
        const { closedPage, movePage, page, reply, shown } = yield* looked(request)
        if (!page.changes.may_move) {
          return reply(409, shown, closedPage(shown, page))
        }
        const today = LocalDate.parse(shown.format.localDate(page.now)) ?? LocalDate.make(0)
        const wanted = LocalDate.parse(field(given, "from") ?? shown.format.localDate(page.booking.starts_at)) ?? today
        const first = wanted < today ? today : wanted
        const last = LocalDate.addDays(first, shownDays - 1)
        const [from, until] = [LocalDate.format(first), LocalDate.format(last)]
        const { data: slots } = yield* run(guestAvailability, { from, to: until })
        const before = LocalDate.addDays(first, -shownDays)
        return reply(
          wrong === undefined ? 200 : 409,
          shown,
          movePage(shown, page, {
            from,
            to: until,
            slots,
            wrong,
            earlier: first === today ? undefined : LocalDate.format(before < today ? today : before),
            later: LocalDate.format(LocalDate.addDays(first, shownDays))
          })
        )
      })

    const moving: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/move",
      name: "guest.choose",
      body: none,
      answer: ({ actor, request }) =>
        turns(
          actor.orgId,
          Effect.gen(function*() {
            const asked = new URL(request.url).searchParams
            const name = asked.get("to")
            if (name === null) {
              return yield* choose(request, asked, undefined)
            }
            const { closedPage, moveCheckPage, nameOf, page, reply, shown } = yield* looked(request)
            if (!page.changes.may_move) {
              return reply(409, shown, closedPage(shown, page))
            }
            const date = asked.get("from")
            const first = (date === null ? undefined : LocalDate.parse(date)) ??
              LocalDate.parse(shown.format.localDate(page.now))
            if (first === undefined) {
              return yield* choose(request, asked, "choose")
            }
            const from = LocalDate.format(first)
            const { data } = yield* run(guestAvailability, {
              from,
              to: LocalDate.format(LocalDate.addDays(first, shownDays - 1))
            })
            const slot = data.find((slot) =>
              nameOf(slot) === name
            )
            return slot === undefined
              ? yield* choose(request, asked, "lost")
              : reply(200, shown, moveCheckPage(shown, page, { from, slot }))
          })
        )
    }

    const move: Route<AsGuest, Form> = {
      ...changing,
      method: "POST",
      path: "/b/:handle/move",
      name: "guest.move",
      body: form,
      answer: ({ body, param, request }: Of<Form>) => {
        const name = body["to"] ?? ""
        const target = isId(name) ? { session_id: name } : { starts_at: name }
        return run(guestMove, target).pipe(
          Effect.as(to(request, `/b/${param("handle")}`, { done: "changed" })),
          Effect.catchAll((refusal) =>
            refusal.kind === "conflict" || refusal.kind === "invalid" || refusal.kind === "not_found"
              ? choose(request, body, "lost")
              : Effect.fail(refusal)
          )
        )
      }
    }

    const cancelling: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/cancel",
      name: "guest.consider",
      body: none,
      answer: ({ request }) =>
        Effect.map(looked(request), ({ cancelPage, closedPage, page, reply, shown }) =>
          page.changes.may_cancel
            ? reply(200, shown, cancelPage(shown, page))
            : reply(409, shown, closedPage(shown, page)))
    }

    const cancel: Route<AsGuest, Form> = {
      ...changing,
      method: "POST",
      path: "/b/:handle/cancel",
      name: "guest.cancel",
      body: form,
      answer: ({ param, request }) =>
        run(guestCancel, {}).pipe(
          Effect.as(to(request, `/b/${param("handle")}`)),
          Effect.catchAll((refusal) =>
            refusal.code === "changes_closed"
              ? Effect.map(
                looked(request),
                ({ closedPage, page, reply, shown }) => reply(409, shown, closedPage(shown, page))
              )
              : Effect.fail(refusal)
          )
        )
    }

    /** Keeps the files of a form; those that were kept for nothing go after a day. */
    const keep = (orgId: string, { files }: FormWithFiles) =>
      Effect.gen(function*() {
        if (files.length > maxFilesOfMessage) return yield* Effect.fail("many" as const)
        if (files.length > 0 && attachments === undefined) return yield* Effect.fail("later" as const)
        return yield* Effect.forEach(files, (file) =>
          Effect.mapBoth(
            turns(orgId, attachments === undefined ? Effect.fail(noPlace) : attachments.keep({ orgId, ...file })),
            {
              onFailure: ({ code }) => whyNot[code] ?? "broken" as const,
              onSuccess: ({ id, name }) => ({ id, name })
            }
          ))
      })

    const write: Route<AsGuest, FormWithFiles> = {
      ...changing,
      method: "POST",
      path: "/b/:handle/messages",
      name: "guest.write",
      body: formWithFiles({ field: "files", maxBytes: maxFilesOfMessage * maxFileBytes, tooLarge }),
      answer: ({ actor, body, param, request }: Of<FormWithFiles>) =>
        Effect.gen(function*() {
          const text = (body.fields["body"] ?? "").trim()
          const key = body.fields["key"] ?? ""
          const said = text === "" && body.files.length > 0 ? photoOnly : text
          const refused = said === "" ? "empty" as const : [...said].length > maxLength ? "long" as const : undefined
          const wrong = refused ?? (yield* Effect.gen(function*() {
            const files = yield* keep(actor.orgId, body)
            yield* run(guestWrite, {
              body: said,
              ...(isId(key) ? { key } : {}),
              ...(files.length === 0 ? {} : { attachments: files })
            })
            return undefined
          }).pipe(
            Effect.catchAll((reason) => typeof reason === "string" ? Effect.succeed(reason) : Effect.fail(reason))
          ))
          if (wrong === undefined) return to(request, `/b/${param("handle")}`, { done: "sent" }, "#messages")
          const { guestPage, page, reply, shown } = yield* looked(request)
          const unsent = { body: text, wrong: shown.text.guest.wrong[wrong] }
          return reply(422, shown, guestPage(shown, page, { formKey: crypto.randomUUID(), unsent }))
        })
    }

    const seen: Route<AsGuest, Form> = {
      ...changing,
      method: "POST",
      path: "/b/:handle/read",
      name: "guest.read",
      body: form,
      answer: ({ request }) => {
        const pass = passOf(request)
        return Effect.as(run(guestRead, pass === undefined ? {} : { pass }), { status: 204, body: null })
      }
    }

    const file: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/files/:id",
      name: "guest.file",
      body: none,
      answer: ({ actor: { orgId }, param, request }) =>
        Effect.gen(function*() {
          const pass = passOf(request)
          const id = param("id").toLowerCase()
          if (attachments === undefined || !isId(id)) return yield* refuse("not_found", "file", "here")
          yield* run(guestFile, { id, ...(pass === undefined ? {} : { pass }) })
          return opened(yield* Effect.uninterruptible(attachments.open({ orgId, id })))
        })
    }

    const link: Route<AsGuest, Form> = {
      ...changing,
      limits: [AddressLimit.make({ times: 5, minutes: 15 })],
      method: "POST",
      path: "/b/:handle/link",
      name: "guest.link",
      body: form,
      answer: ({ param, request }) =>
        Effect.as(run(guestLink, {}), to(request, `/b/${param("handle")}`, { done: "asked" }, "#messages"))
    }

    const mailed: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/messages/:link",
      name: "guest.mailed",
      body: none,
      answer: ({ param, request }) =>
        Effect.map(looked(request), ({ linkPage, page, reply, shown }) => {
          const address = href(shown, `/b/${param("handle")}/messages/${encodeURIComponent(param("link"))}`)
          return reply(200, shown, linkPage(shown, page, address))
        })
    }

    const spend: Route<AsGuest, Form> = {
      ...changing,
      method: "POST",
      path: "/b/:handle/messages/:link",
      name: "guest.open",
      body: form,
      answer: ({ param, request }) =>
        run(guestOpen, { link: param("link").slice(0, 100) }).pipe(
          Effect.map(({ pass }): Reply => {
            const there = to(request, `/b/${param("handle")}`, {}, "#messages")
            const path = site.link(`/b/${param("handle")}`)
            const secure = isSecure(site, request) ? "; Secure" : ""
            return {
              ...there,
              headers: {
                ...there.headers,
                "set-cookie": `${cookie}=${pass}; Path=${path}; Max-Age=3600; HttpOnly; SameSite=Lax${secure}`
              }
            }
          }),
          Effect.catchAll((refusal) =>
            refusal.code === "unauthorized" || refusal.code === "invalid_request"
              ? Effect.map(
                looked(request),
                ({ linkOverPage, page, reply, shown }) => reply(410, shown, linkOverPage(shown, page))
              )
              : Effect.fail(refusal)
          )
        )
    }

    const pay: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/pay",
      name: "guest.pay",
      body: none,
      answer: ({ request }) =>
        run(guestCheckout, {}).pipe(
          Effect.flatMap(({ url }) =>
            Effect.map(
              looked(request),
              ({ page, payPage, reply, shown }) => reply(200, shown, payPage(shown, page, url))
            )
          ),
          Effect.catchAll((refusal) =>
            refusal.kind === "conflict" || refusal.kind === "not_found"
              ? Effect.map(
                looked(request),
                ({ noPayPage, page, reply, shown }) =>
                  reply(409, shown, noPayPage(shown, page, refusal.code === "hold_expired"))
              )
              : Effect.fail(refusal)
          )
        )
    }

    const paid: Route<AsGuest, undefined> = {
      ...page,
      method: "GET",
      path: "/b/:handle/paid",
      name: "guest.paid",
      body: none,
      answer: ({ param, request }) =>
        Effect.gen(function*() {
          const { page, reply, shown, waitPage } = yield* looked(request)
          const path = `/b/${param("handle")}` as const
          if (page.is_paid) return to(request, path, { done: "paidNow" })
          if (page.booking.status !== "held") return to(request, path)
          const asked = Number(shown.url.searchParams.get("n") ?? 0)
          const again = asked >= 0 && asked < 40 ? href(shown, `${path}/paid`, { n: asked + 1 }) : undefined
          return reply(200, shown, waitPage(shown, page, again))
        })
    }

    return [
      home,
      calendar,
      moving,
      move,
      cancelling,
      cancel,
      write,
      seen,
      file,
      link,
      mailed,
      spend,
      pay,
      paid
    ] as ReadonlyArray<AnyRoute>
  })

type ActorOf = Effect.Effect.Context<ReturnType<Effect.Effect.Success<typeof ask>>>

const maxLength = 5000

/** What a guest says who sends a photo and no words. */
const photoOnly = "📷"

const whyNot: { readonly [code: string]: "type" | "large" | "broken" | "later" } = {
  unsupported_type: "type",
  too_large: "large",
  unavailable: "later"
}

const noPlace = refuse("unavailable")

const cookie = "tb_thread"

const passOf = (request: Request): string | undefined =>
  /(?:^|;\s*)tb_thread=([A-Za-z0-9]{1,100})(?:;|$)/.exec(request.headers.get("cookie") ?? "")?.[1]

/** By what was said of the service's address; a development server on a machine of one's own has no certificate. */
const isSecure = (site: Site, request: Request): boolean => (site.absolute("/") ?? request.url).startsWith("https:")

const foreign = new Failure(refuse("forbidden", "This page", "guest"))

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const field = (given: URLSearchParams | Form, name: string): string | undefined =>
  (given instanceof URLSearchParams ? given.get(name) : given[name]) ?? undefined

const told: ReadonlyArray<string> = ["sent", "asked", "changed", "paidNow"] satisfies ReadonlyArray<Done>

const doneOf = ({ searchParams }: URL): Done | undefined => {
  const done = searchParams.get("done") ?? ""
  return told.includes(done) ? done as Done : undefined
}
