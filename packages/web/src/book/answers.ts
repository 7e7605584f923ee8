/**
 * What an offering's page answers: the picker, the details, and what became of a booking.
 */
import type { Actor } from "@trailbook/core/actor/Actor"
import { visitAvailability, visitBook } from "@trailbook/core/operation/visitOperations"
import type { VisitMonthView } from "@trailbook/core/operation/VisitView"
import { notFound, type Refusal } from "@trailbook/core/Refusal"
import type { Reply } from "@trailbook/http/Reply"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Ask } from "../ask.ts"
import { goTo } from "../goTo.ts"
import type { Lazy } from "../lazily.ts"
import type { Site } from "../Site.ts"
import { type Choice, isId } from "./Choice.ts"
import { isSpam } from "./isSpam.ts"
import type * as Pages from "./pages.ts"
import { type Typed, typedOf } from "./Typed.ts"

type Details = Pick<Pages.Details, "errors" | "news">

/**
 * @category models
 */
export interface Means {
  readonly site: Site
  readonly run: Ask
  readonly views: Lazy<typeof Pages>
  readonly clock: Clock.Clock
}

/**
 * @category constructors
 */
export const answersOf = ({ clock, run, site, views }: Means) => {
  const seconds = () => Math.floor(clock.unsafeCurrentTimeMillis() / 1000)

  const openOf = (offering: string, { date, month, periods, quantity }: Choice) =>
    isId(offering)
      ? run(visitAvailability, {
        id: offering,
        quantity,
        ...(date === undefined ? {} : { date }),
        ...(month === undefined ? {} : { month: `${month}-01` }),
        ...(periods === undefined ? {} : { periods })
      })
      : notFound("offering", offering.slice(0, 40))

  const show = (
    request: Request,
    open: VisitMonthView,
    given: { readonly slot: string | undefined; readonly typed: Typed | undefined; readonly isLost: boolean }
  ) =>
    Effect.map(views.effect, ({ Document, pickerPage, shownOf }) => {
      const shown = shownOf(site, request, open.org)
      return Document.reply(given.isLost ? 409 : 200, shown, pickerPage({ shown, open, ...given }))
    })

  /** The place is gone: the same day if it has another start, else the first of the month that has. */
  const lost = (request: Request, offering: string, choice: Choice, typed: Typed | undefined) =>
    Effect.gen(function*() {
      const { hasRoom } = yield* views.effect
      const same = yield* openOf(offering, choice)
      const isOpen = same.slots.some((slot) => hasRoom({ open: same }, slot))
      const open = isOpen ? same : yield* openOf(offering, { ...choice, date: undefined })
      return yield* show(request, open, { slot: undefined, typed, isLost: true })
    })

  /** Undefined where the place has no room any more. */
  const form = (
    request: Request,
    offering: string,
    choice: Choice,
    given: Details & { readonly typed: Typed; readonly status: number }
  ) =>
    Effect.gen(function*() {
      const { Document, detailsPage, hasRoom, shownOf } = yield* views.effect
      const open = yield* openOf(offering, choice)
      const slot = open.slots.find(({ session_id, starts_at }) => (session_id ?? starts_at) === choice.slot)
      if (slot === undefined || !hasRoom({ open }, slot)) return undefined
      const shown = shownOf(site, request, open.org)
      const { errors, news, status, typed } = given
      const picked = { shown, open, slot: choice.slot, typed: undefined, isLost: false }
      return Document.reply(status, shown, detailsPage({ picked, slot, typed, errors, news, now: seconds() }))
    })

  /** The form once more, with what is to be said about it; where its place is gone, the picker. */
  const again = (
    request: Request,
    offering: string,
    choice: Choice,
    { typed, ...given }: Details & { readonly typed: Typed | undefined; readonly status: number }
  ) =>
    Effect.flatMap(
      form(request, offering, choice, { ...given, typed: typed ?? typedOf({}) }),
      (reply) => reply === undefined ? lost(request, offering, choice, typed) : Effect.succeed(reply)
    )

  const picker = (request: Request, offering: string, choice: Choice, typed?: Typed) =>
    Effect.flatMap(
      openOf(offering, choice),
      (open) => show(request, open, { slot: choice.slot, typed, isLost: false })
    )

  const details = (request: Request, offering: string, choice: Choice, typed: Typed | undefined) =>
    Effect.gen(function*() {
      if (choice.slot === undefined) return yield* picker(request, offering, choice, typed)
      return yield* again(request, offering, choice, { typed, errors: {}, news: undefined, status: 200 })
    })

  const book = (
    request: Request,
    offering: string,
    choice: Choice,
    body: Readonly<Record<string, string>>
  ) =>
    Effect.gen(function*() {
      const { Document, bookErrors, donePage, href, payPage, shown, shownOf } = yield* views.effect
      const typed = typedOf(body)
      const asked = shown(site, request)
      const { book } = asked.text
      const refuse = (status: number, given: Partial<Details> & { readonly typed?: Typed }) =>
        again(request, offering, choice, { status, typed, errors: {}, news: undefined, ...given })
      const { slot } = choice
      if (slot === undefined || !isId(offering)) return yield* picker(request, offering, choice, typed)
      if (isSpam(body, { leastSeconds: site.leastSeconds, now: seconds() })) {
        return yield* refuse(422, { news: book.errors.again })
      }
      const errors = bookErrors(asked.text, typed)
      if (Object.keys(errors).length > 0) return yield* refuse(422, { errors })

      const { email, key, name, notes, phone } = typed
      const booking = run(visitBook, {
        offering_id: offering,
        ...(isId(slot) ? { session_id: slot } : { starts_at: slot }),
        quantity: choice.quantity,
        ...(choice.periods === undefined ? {} : { periods: choice.periods }),
        name,
        email,
        phone,
        notes,
        idempotency_key: key
      })
      const done = Effect.flatMap(booking, (booked) =>
        Effect.gen(function*() {
          const { checkout_url: checkout, handle } = booked
          if (checkout === null && !asked.isEmbedded) return goTo(href(asked, `/b/${handle}`, { new: 1 }))
          const open = yield* openOf(offering, choice)
          const picked = { shown: shownOf(site, request, open.org), open, slot, typed: undefined, isLost: false }
          const page = checkout === null ? donePage(picked, booked) : payPage(picked, booked, checkout)
          return Document.reply(200, picked.shown, page)
        }))
      return yield* Effect.catchAll(done, (refusal): Effect.Effect<Reply, Refusal, Actor> => {
        switch (refusal.code) {
          case "slot_full":
          case "slot_unavailable":
          case "session_cancelled":
            return lost(request, offering, choice, typed)
          case "offering_paused":
            return notFound("offering", offering)
          case "idempotency_conflict":
            return refuse(409, { news: book.conflict, typed: { ...typed, key: crypto.randomUUID() } })
          case "rate_limited":
            return refuse(429, { news: book.holds(Math.ceil((refusal.retryAfterSeconds ?? 60) / 60)) })
          case "unavailable":
            return refuse(503, { news: book.busy })
          default:
            return Effect.fail(refusal)
        }
      })
    })

  return { picker, details, book }
}
