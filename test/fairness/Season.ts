/** The initial data: an outfitter with many rows of each kind, all of the maximum size, and a small outfitter. */
import { ApiKeys } from "@trailbook/core/actor"
import { type Booking, BookingStore, bookingView } from "@trailbook/core/booking"
import { ConversationStore, MessageStore, SavedReplyStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import {
  type Closure,
  ClosureStore,
  type DiscountCode,
  DiscountStore,
  OfferingStore,
  offeringView
} from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import type { HoursEntry } from "@trailbook/core/offering/Offering"
import { Orgs } from "@trailbook/core/org"
import { type LedgerEntry, LedgerStore } from "@trailbook/core/payment"
import { EventLog, Ids, Secrets } from "@trailbook/core/port"
import { type Session, SessionStore } from "@trailbook/core/session"
import { currentTime } from "@trailbook/core/time/currentTime"
import * as Instant from "@trailbook/core/time/Instant"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import type { LocalTime } from "@trailbook/core/time/LocalTime"
import { getWebhookSecretLocation, WebhookStore } from "@trailbook/core/webhook"
import * as Effect from "effect/Effect"
import { itemCount, type StoredProposals, storeProposals } from "./proposals.ts"

export interface Size {
  readonly bookings: number
  /** The number of bookings by a single guest. */
  readonly bookingsOfOne: number
  readonly guests: number
  readonly offerings: number
  readonly sessions: number
  readonly events: number
  /** The number of upcoming bookings per large offering, and the number of bookings per large session. */
  readonly upcoming: number
  readonly inSession: number
}

/** The IDs and keys that requests are built from. */
export interface Facts {
  /** Each key has its own rate limit. */
  readonly keys: ReadonlyArray<string>
  /** An offering that is always open and never full, with a slot every five minutes. */
  readonly offering: string
  readonly class: string
  readonly regular: string
  /** A thread with 500 messages of the maximum length. */
  readonly conversation: string
  /** Threads from senders who have no booking. `conversations.delete` uses them up. */
  readonly questions: ReadonlyArray<string>
  /**
   * Resources with so many bookings that deleting or canceling them runs in chunks. Each can be used only once, so
   * every attempt at a round gets its own resources.
   */
  readonly large: ReadonlyArray<{
    readonly offering: string
    readonly session: string
    readonly guest: string
    /** A proposal that messages all guests in another session and cancels that session. */
    readonly proposal: string
  }>
  readonly proposals: Pick<StoredProposals, "waiting" | "done">
  readonly webhooks: ReadonlyArray<string>
  readonly replies: ReadonlyArray<string>
  /** Each request that deletes, cancels, or confirms uses up one of these resources. */
  readonly offerings: ReadonlyArray<string>
  readonly sessions: ReadonlyArray<string>
  readonly guests: ReadonlyArray<string>
  readonly bookings: ReadonlyArray<string>
  readonly holds: ReadonlyArray<string>
  /** Bookings that started minutes ago and were paid in cash. */
  readonly started: ReadonlyArray<string>
  /** Today's cash payments for other bookings. */
  readonly cashPayments: ReadonlyArray<string>
  readonly closures: ReadonlyArray<string>
  readonly discounts: ReadonlyArray<string>
}

export interface Season {
  readonly busy: Facts
  readonly quiet: { readonly key: string; readonly offering: string }
}

const dayMs = 86_400_000
const fiveMinutes = 300_000
const always: ReadonlyArray<HoursEntry> = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
  weekday,
  startTime: 0 as LocalTime,
  endTime: 86_400 as LocalTime
}))

/** Metadata close to the maximum size. */
export const metadata = { said: "x".repeat(16_000) }

const keysPerCall = 500

/** The number of guests with a thread, and the number of messages in the largest thread. */
const threads = 500
const rowsOfThread = 500

/** The number of large resources: one for each attempt at a round. */
const largeOnes = 3

/** The number of webhooks. Stays below the per-outfitter limit so that `webhooks.create` can succeed. */
const someWebhooks = 10

/** The number of API keys: one per round, because a key's rate limit takes time to recover after use. */
const rounds = 150

const forEachChunk = <A, E, R>(items: ReadonlyArray<A>, use: (chunk: ReadonlyArray<A>) => Effect.Effect<void, E, R>) =>
  Effect.forEach(
    Array.from(
      { length: Math.ceil(items.length / keysPerCall) },
      (_, at) => items.slice(at * keysPerCall, (at + 1) * keysPerCall)
    ),
    use,
    { discard: true }
  )

const makeMany = <A>(length: number, make: (at: number) => A): ReadonlyArray<A> =>
  Array.from({ length }, (_, at) => make(at))

export const season = (size: Size) =>
  Effect.gen(function*() {
    const ids = yield* Ids
    const now = yield* currentTime
    const orgs = yield* Orgs
    const keys = yield* ApiKeys
    const makeOrg = (name: string) =>
      Effect.gen(function*() {
        const { id: orgId } = yield* orgs.create({ name, timezone: "America/Denver" })
        return { orgId, key: (yield* keys.create({ orgId, name: "fairness" })).token }
      })
    const { key, orgId } = yield* makeOrg("Busy River Co.")
    const extraKeys = yield* Effect.forEach(makeMany(rounds, String), (name) => keys.create({ orgId, name }))
    const open = (orgId: string, settings: Partial<Offering.OfferingSettings> = {}): Offering.Offering => ({
      ...Offering.make({
        id: ids.uuid(),
        orgId,
        kind: "appointment",
        name: "Guide",
        createdAt: now,
        durationMinutes: 5,
        slotIntervalMinutes: 5,
        capacity: 10_000,
        maxAdvanceDays: 730,
        ...settings
      }),
      hours: always
    })
    const offering = open(orgId)
    const course = Offering.make({
      id: ids.uuid(),
      orgId,
      kind: "class",
      name: "Course",
      createdAt: now,
      maxAdvanceDays: 730
    })
    const large = makeMany(largeOnes, () => open(orgId))
    const offerings = makeMany(size.offerings, () => open(orgId, { metadata }))
    const store = yield* OfferingStore
    yield* forEachChunk([offering, course, ...large, ...offerings], store.put)

    const guests = makeMany(size.guests, (at) =>
      Customer.make({
        id: ids.uuid(),
        orgId,
        email: `guest${at}@example.com`,
        name: `Guest ${at}`,
        notes: "n".repeat(5000),
        metadata,
        createdAt: Instant.make(now - at)
      }))
    yield* forEachChunk(guests, (yield* CustomerStore).put)
    const regular = guests[0]?.id ?? ""
    const getGuest = (at: number): string => guests[at % size.guests]?.id ?? regular

    const sessions = makeMany(2 * largeOnes + size.sessions + itemCount, (at): Session => {
      const startsAt = Instant.make(now + dayMs + (at % 5000) * fiveMinutes)
      return {
        id: ids.uuid(),
        orgId,
        offeringId: course.id,
        startsAt,
        endsAt: Instant.make(startsAt + 7_200_000),
        capacity: null,
        notes: "",
        status: "scheduled",
        createdAt: now,
        judgedAt: now
      }
    })
    yield* forEachChunk(sessions, (yield* SessionStore).put)

    const makeBooking = (
      at: number,
      customerId: string,
      isHeld: boolean,
      { offeringId = offering.id, session }: { readonly offeringId?: string; readonly session?: Session | undefined } =
        {}
    ): Booking => {
      const startsAt = session?.startsAt ??
        Instant.make((Math.floor(now / fiveMinutes) + 300 + (at * 7) % 100_000) * fiveMinutes)
      return {
        id: ids.uuid(),
        orgId,
        offeringId: session?.offeringId ?? offeringId,
        customerId,
        sessionId: session?.id ?? null,
        startsAt,
        endsAt: session?.endsAt ?? Instant.make(startsAt + fiveMinutes),
        periodMinutes: 5,
        periods: 1,
        quantity: 1,
        totalCents: 0,
        currency: "usd",
        deskCents: 0,
        keepCents: null,
        price: null,
        cancellationPolicy: null,
        onlineCents: null,
        staffNotes: "",
        reference: ids.uuid().replaceAll("-", "").slice(-12),
        handle: ids.uuid(),
        checkInToken: ids.uuid(),
        source: "api",
        notes: "n".repeat(500),
        metadata: {},
        createdAt: now,
        updatedAt: now,
        paidAt: null,
        paymentIntentId: null,
        refund: null,
        dispute: null,
        attendance: null,
        tapsFrom: now,
        previous: null,
        unproven: null,
        resentAt: null,
        contact: null,
        idempotency: { key: ids.uuid(), fingerprint: "0".repeat(64) },
        ...(isHeld
          ? {
            status: "held",
            confirmedAt: null,
            expiresAt: Instant.make(now + dayMs),
            paymentDue: false,
            checkoutUrl: null
          }
          : { status: "confirmed", confirmedAt: now })
      }
    }
    const bookings = makeMany(
      size.bookings,
      (at) => makeBooking(at, at < size.bookingsOfOne ? regular : getGuest(at), at % 4 === 3)
    )
    const called = large.flatMap(({ id: offeringId }, nth) => [
      ...makeMany(size.upcoming, (at) => makeBooking(at, getGuest(at), at % 10 === 3, { offeringId })),
      ...[nth, largeOnes + nth].flatMap((session) =>
        makeMany(size.inSession, (at) => makeBooking(at, getGuest(at), at % 10 === 3, { session: sessions[session] }))
      )
    ])
    const ofOne = large.flatMap((_, nth) =>
      makeMany(size.bookingsOfOne, (at) => makeBooking(at, getGuest(nth + 1), false))
    )
    const cashCents = 10_000
    const started = makeMany(2 * itemCount, (at): Booking => ({
      ...makeBooking(at, getGuest(at), false),
      startsAt: Instant.make(now - fiveMinutes),
      endsAt: now,
      totalCents: cashCents,
      deskCents: cashCents
    }))
    const cashPayments = started.map(({ id: bookingId }): LedgerEntry => ({
      id: ids.uuid(),
      orgId,
      bookingId,
      kind: "payment",
      method: "cash",
      cents: cashCents,
      currency: "usd",
      refundOf: null,
      reason: null,
      status: "done",
      note: "n".repeat(500),
      connection: null,
      recordedBy: { kind: "application", id: null, name: "" },
      createdAt: now,
      doneAt: now
    }))
    const bookingStore = yield* BookingStore
    yield* forEachChunk([...bookings, ...called, ...ofOne, ...started], bookingStore.put)
    yield* forEachChunk(cashPayments, (yield* LedgerStore).put)
    const log = yield* EventLog
    const guestWith = new Map(guests.map((guest) => [guest.id, guest]))
    yield* forEachChunk(ofOne, (chunk) =>
      log.append(chunk.flatMap((one) => {
        const customer = guestWith.get(one.customerId)
        if (customer === undefined) return []
        const data = bookingView({ booking: one, offering, customer })
        return [{ orgId, type: "booking.confirmed" as const, data, person: customer.id, createdAt: now }]
      })))
    yield* forEachChunk(
      makeMany(size.events, () => offerings[0] ?? offering),
      (chunk) =>
        log.append(chunk.map((one) => ({
          orgId,
          type: "offering.updated" as const,
          data: offeringView(one),
          person: null,
          createdAt: now
        })))
    )
    const conversations = guests.slice(0, threads).map(({ id: customerId }) => ({
      ...Conversation.make({ id: ids.uuid(), orgId, token: ids.uuid(), createdAt: now, customerId }),
      lastMessageId: ids.uuid(),
      lastBy: "guest" as const
    }))
    const questions = makeMany(threads, (at) =>
      Conversation.make({
        id: ids.uuid(),
        orgId,
        token: ids.uuid(),
        createdAt: now,
        fromName: "Nobody",
        fromEmail: `nobody${at}@example.org`
      }))
    yield* (yield* ConversationStore).put([...conversations, ...questions])
    const messages = [...conversations, ...questions].flatMap((
      { customerId, id: conversationId, lastMessageId },
      nth
    ) =>
      makeMany(nth === 0 ? rowsOfThread : 1, (at) =>
        Message.make({
          id: at === 0 && lastMessageId !== null ? lastMessageId : ids.uuid(),
          orgId,
          conversationId,
          customerId,
          direction: "to_outfitter",
          body: "the guest's message ".repeat(250),
          sentBy: "guest",
          channel: "email",
          createdAt: now
        }))
    )
    yield* forEachChunk(messages, (yield* MessageStore).put)
    const proposals = yield* storeProposals({
      orgId,
      now,
      class: course.id,
      calledOff: sessions.slice(largeOnes, 2 * largeOnes),
      opened: sessions.slice(-itemCount)
    })
    const hooks = yield* WebhookStore
    const { seal } = yield* Secrets
    const webhooks = yield* Effect.forEach(makeMany(someWebhooks, () => ids.uuid()), (id) =>
      Effect.gen(function*() {
        yield* hooks.add({
          id,
          orgId,
          url: `https://example.org/${id}`,
          events: ["*"],
          active: true,
          sealedSecret: yield* seal("secret", getWebhookSecretLocation({ id, orgId })),
          createdAt: now,
          lastStatus: null,
          lastError: null,
          lastAttemptAt: null
        })
        return id
      }))
    const replyStore = yield* SavedReplyStore
    const replies = makeMany(itemCount, () => ids.uuid())
    yield* Effect.forEach(
      replies,
      (id) => replyStore.put({ id, orgId, title: id, body: "b".repeat(5000), createdAt: now, updatedAt: now }),
      { discard: true }
    )
    const lastDate = LocalDate.make(Math.floor(now / dayMs) + 729)
    const closures = makeMany(itemCount, (): Closure => ({
      id: ids.uuid(),
      orgId,
      fromDate: lastDate,
      toDate: lastDate,
      startTime: null,
      endTime: null,
      offeringId: null,
      reason: "r".repeat(200),
      createdAt: now
    }))
    yield* Effect.forEach(closures, (yield* ClosureStore).put, { discard: true })
    const discounts = makeMany(itemCount, (at): DiscountCode => ({
      id: ids.uuid(),
      orgId,
      code: `SEASON${at}`,
      percentBps: 1000,
      cents: null,
      offeringIds: null,
      bookFrom: null,
      bookUntil: null,
      startFrom: null,
      startUntil: null,
      maxUses: null,
      active: true,
      returnsOnCancel: false,
      createdAt: now
    }))
    yield* Effect.forEach(discounts, (yield* DiscountStore).put, { discard: true })
    // Stores use `longestBookingMs` to limit the rows that they read.
    yield* store.put([offering, ...large].map((one) => ({ ...one, longestBookingMs: fiveMinutes })))

    const other = yield* makeOrg("Quiet Creek Co.")
    const place = open(other.orgId)
    yield* store.put([place])
    return {
      busy: {
        keys: [key, ...extraKeys.map(({ token }) => token)],
        offering: offering.id,
        class: course.id,
        regular,
        conversation: conversations[0]?.id ?? "",
        questions: questions.map(({ id }) => id),
        offerings: offerings.map(({ id }) => id),
        large: large.map(({ id }, nth) => ({
          offering: id,
          session: sessions[nth]?.id ?? "",
          guest: getGuest(nth + 1),
          proposal: proposals.calledOff[nth] ?? ""
        })),
        proposals,
        webhooks,
        replies,
        sessions: sessions.slice(2 * largeOnes, -itemCount).map(({ id }) => id),
        guests: guests.slice(1 + largeOnes).map(({ id }) => id),
        bookings: bookings.filter(({ status }) => status === "confirmed").map(({ id }) => id),
        holds: bookings.filter(({ status }) => status === "held").map(({ id }) => id),
        started: started.slice(0, itemCount).map(({ id }) => id),
        cashPayments: cashPayments.slice(itemCount).map(({ id }) => id),
        closures: closures.map(({ id }) => id),
        discounts: discounts.map(({ id }) => id)
      },
      quiet: { key: other.key, offering: place.id }
    } satisfies Season
  })
