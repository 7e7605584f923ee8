/**
 * An outfitter with three years of data, deterministic for a given size. It is written through the stores, so that
 * every column and index is real. Creating the bookings through the booking service would take an hour.
 */
import { type Booking, BookingStore, bookingView } from "@trailbook/core/booking"
import { ConversationStore, MessageStore } from "@trailbook/core/conversation"
import * as Conversation from "@trailbook/core/conversation/Conversation"
import * as Message from "@trailbook/core/conversation/message/Message"
import { CustomerStore } from "@trailbook/core/customer"
import * as Customer from "@trailbook/core/customer/Customer"
import { OfferingStore } from "@trailbook/core/offering"
import * as Offering from "@trailbook/core/offering/Offering"
import { EventLog, UnitOfWork } from "@trailbook/core/port"
import { type Proposal, ProposalStore } from "@trailbook/core/proposal"
import { type Session, SessionStore } from "@trailbook/core/session"
import type { Storage } from "@trailbook/core/storage"
import * as Instant from "@trailbook/core/time/Instant"
import * as Effect from "effect/Effect"
import { openedSession, proposalOf } from "../proposalOf.ts"

export interface Size {
  readonly bookings: number
  readonly offerings: number
  readonly guests: number
  /**
   * Whether one appointment offering gets half of all bookings, and one guest and one upcoming session a sixteenth
   * each. Otherwise, bookings are spread evenly.
   */
  readonly isUneven?: boolean
}

export interface Outfitter {
  readonly offerings: ReadonlyArray<Offering.Offering>
  readonly sessions: ReadonlyArray<Session>
  /** Additional sessions, opened by the agent. */
  readonly opened: ReadonlyArray<Session>
  readonly customers: ReadonlyArray<Customer.Customer>
  readonly bookingOf: (at: number) => Booking
  /** Threads with every fourth guest, and questions from senders who are not guests. */
  readonly threads: ReadonlyArray<Conversation.Conversation>
  readonly questions: ReadonlyArray<Conversation.Conversation>
  /** Pending proposals, completed proposals that can be undone, and expired proposals, which are the majority. */
  readonly proposals: Readonly<Record<"waiting" | "done" | "over", ReadonlyArray<Proposal>>>
  readonly size: Size
}

const hour = 60
const day = 24 * hour
const years = 3 * 365 * day

/** The maximum number of upcoming bookings, regardless of the number of past bookings. */
const upcomingLimit = 2000
const seats = 20

const messagesInThread = 3
/** How many there are of each: questions, pending proposals, and proposals that can be undone. */
const smallCount = 60

const first = ["Ann", "Bo", "Elena", "Cy", "Jürgen", "Søren", "Zoë", "María", "Łukasz", "Thomas"]
const last = [
  "Smith",
  "Rodríguez",
  "O'Brien",
  "Nguyễn",
  "Weiß",
  "Jones",
  "Garcia",
  "Müller",
  "Lee",
  "Kowalski",
  "Stone"
]

const pick = <A>(values: ReadonlyArray<A>, at: number): A => {
  const value = values[at % values.length]
  if (value === undefined) throw new Error("Cannot pick from an empty list.")
  return value
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const referenceOf = (at: number): string =>
  Array.from({ length: 8 }, (_, digit) => crockford.charAt(Math.floor((at * 7919 + 1234) / 32 ** (7 - digit)) % 32))
    .join("")

/**
 * Builds an org's data. All IDs contain the last 4 characters of `orgId`, so that the IDs of two orgs do not collide.
 */
export const outfitter = (orgId: string, now: Instant.Instant, size: Size): Outfitter => {
  const org = orgId.slice(-4)
  const makeId = (kind: number, at: number): string =>
    `0190${org}-000${kind}-7000-8000-${at.toString(16).padStart(12, "0")}`
  const minutesBefore = (minutes: number): Instant.Instant => Instant.addMinutes(now, -minutes)
  const foundedAt = minutesBefore(years + 90 * day)
  const offerings = Array.from({ length: size.offerings }, (_, at) =>
    Offering.make({
      id: makeId(1, at),
      orgId,
      kind: at % 2 === 0 ? "class" : "appointment",
      name: `Browns Canyon ${at}`,
      capacity: 10_000,
      maxPerBooking: 10_000,
      slotIntervalMinutes: at % 2 === 0 ? null : 30,
      priceCents: 7500,
      createdAt: foundedAt
    }))
  const customers = Array.from({ length: size.guests }, (_, at) => {
    const name = `${pick(first, at)} ${pick(last, Math.floor(at / 10))}`
    return Customer.make({
      id: makeId(2, at),
      orgId,
      name,
      email: `${name.normalize("NFKD").replace(/[^a-zA-Z ]/g, "").toLowerCase().replace(" ", ".")}${at}@example.com`,
      phone: `+1 719-${String(200 + at % 700)}-${String(at % 10_000).padStart(4, "0")}`,
      createdAt: Instant.addMinutes(foundedAt, at % years)
    })
  })

  const soon = Math.min(upcomingLimit, Math.floor(size.bookings / 2))
  const past = size.bookings - soon
  /**
   * Returns start times on whole hours. Past bookings start within the last three years, and upcoming bookings start
   * within 60 days from tomorrow.
   */
  const startOf = (at: number): Instant.Instant => {
    const minutes = at < past
      ? -years + Math.floor((at / past) * (years - day))
      : day + Math.floor(((at - past) / soon) * 59 * day)
    const start = Instant.addMinutes(now, minutes)
    return Instant.make(start - start % (hour * 60_000))
  }
  const classes = Math.max(1, Math.ceil(size.offerings / 2))
  const isClass = (at: number): boolean => at % 2 === 0
  const isUneven = size.isUneven ?? false
  /**
   * If the bookings are spread unevenly, the first session gets a sixteenth of them. The remaining sessions each get 20
   * consecutive class bookings.
   */
  const getSessionIndex = (at: number): number => isUneven && at % 16 === 0 ? 0 : 1 + Math.floor(at / 2 / seats)
  const sessions = Array.from({ length: getSessionIndex(size.bookings - 1) + 1 }, (_, at): Session => {
    const startsAt = startOf(at === 0 ? size.bookings - 1 : Math.min((at - 1) * 2 * seats, size.bookings - 1))
    return {
      id: makeId(3, at),
      orgId,
      offeringId: pick(offerings, 2 * (at % classes)).id,
      startsAt,
      endsAt: Instant.addMinutes(startsAt, 2 * hour),
      capacity: null,
      notes: "",
      status: "scheduled",
      createdAt: foundedAt,
      judgedAt: foundedAt
    }
  })
  const month = Instant.make(Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()))

  const makeBooking = (at: number): Booking => {
    const session = isClass(at) ? pick(sessions, getSessionIndex(at)) : undefined
    const startsAt = session?.startsAt ?? startOf(at)
    const id = makeId(4, at)
    const isComing = at >= past
    // All bookings were created in the current month, so billing has to count as many as possible.
    const createdAt = Instant.make(month + Math.floor((now - month) * at / size.bookings))
    return {
      id,
      orgId,
      offeringId: session?.offeringId ?? pick(offerings, isUneven ? 1 : at).id,
      customerId: isUneven && at % 16 === 1 ? pick(customers, 0).id : pick(customers, at * 7919).id,
      sessionId: session?.id ?? null,
      startsAt,
      endsAt: session?.endsAt ?? Instant.addMinutes(startsAt, hour),
      periodMinutes: hour,
      periods: 1,
      quantity: 1,
      totalCents: 7500,
      currency: "usd",
      deskCents: 0,
      keepCents: null,
      price: null,
      cancellationPolicy: null,
      onlineCents: null,
      staffNotes: "",
      reference: referenceOf(at),
      handle: `large-${id}`,
      checkInToken: `token-${id}`,
      source: "api",
      notes: "",
      metadata: {},
      createdAt,
      updatedAt: createdAt,
      paidAt: null,
      paymentIntentId: null,
      refund: null,
      dispute: null,
      attendance: null,
      tapsFrom: createdAt,
      previous: null,
      unproven: null,
      resentAt: null,
      contact: null,
      idempotency: { key: id, fingerprint: "0".repeat(64) },
      ...(at % 10 === 3
        ? { status: "cancelled", confirmedAt: createdAt, cancelledAt: minutesBefore(hour), keepCents: 0 }
        : isComing && at % 20 === 9
        ? {
          status: "held",
          confirmedAt: null,
          expiresAt: Instant.addMinutes(now, day),
          paymentDue: false,
          checkoutUrl: null
        }
        : { status: "confirmed", confirmedAt: createdAt })
    }
  }
  const makeConversation = (at: number, who: Partial<Conversation.Conversation>): Conversation.Conversation => {
    const createdAt = minutesBefore(at + 1)
    return {
      ...Conversation.make({ id: makeId(5, at), orgId, token: `large-${makeId(5, at)}`, createdAt }),
      ...who,
      lastMessageId: makeId(6, messagesInThread * (at + 1) - 1),
      lastAt: createdAt,
      lastBy: "guest",
      guestAt: createdAt
    }
  }
  const threadCount = Math.ceil(size.guests / 4)
  const threads = Array.from(
    { length: threadCount },
    (_, at) => makeConversation(at, { customerId: pick(customers, at).id })
  )
  const questions = Array.from(
    { length: smallCount },
    (_, at) => makeConversation(threadCount + at, { fromName: "Ann Asker", fromEmail: `asker${at}@example.com` })
  )
  // These sessions have no bookings, so their opening can be undone.
  const opened = Array.from({ length: smallCount }, (_, at): Session => {
    const startsAt = Instant.addMinutes(now, (90 + at) * day)
    return { ...pick(sessions, 0), id: makeId(8, at), startsAt, endsAt: Instant.addMinutes(startsAt, hour) }
  })
  const proposals = {
    waiting: Array.from({ length: smallCount }, (_, at) => proposalOf(orgId, now, { id: makeId(7, at) })),
    done: opened.map((session, at) =>
      proposalOf(orgId, now, { ...openedSession(session.id), id: makeId(7, smallCount + at) })
    ),
    over: Array.from(
      { length: threadCount },
      (_, at) => proposalOf(orgId, minutesBefore(at + day), { id: makeId(7, 2 * smallCount + at), status: "expired" })
    )
  }
  return { offerings, sessions, opened, customers, bookingOf: makeBooking, threads, questions, proposals, size }
}

const subjects = ["the shuttle", "your waiver", "lunch", "the weather", "a child of nine", "parking", "the put-in"]

/** Returns a thread's messages. The last message has the ID in `lastMessageId`. */
const makeMessages = ({ createdAt, customerId, id, lastMessageId, orgId }: Conversation.Conversation) =>
  Array.from({ length: messagesInThread }, (_, at) => {
    const number = Number.parseInt((lastMessageId ?? "").slice(-12), 16) - messagesInThread + 1 + at
    return Message.make({
      id: `${(lastMessageId ?? "").slice(0, -12)}${number.toString(16).padStart(12, "0")}`,
      orgId,
      conversationId: id,
      customerId,
      direction: "to_outfitter",
      body: `Hello, this is about ${pick(subjects, number)}. ${
        number % 50 === 0 ? "Are wetsuits included?" : "Thank you!"
      }`,
      sentBy: "guest",
      channel: "email",
      createdAt: Instant.addMinutes(createdAt, at - messagesInThread + 1)
    })
  })

const batch = 2000

/** Stores the outfitter in transactions of up to 2,000 rows. The org must exist. */
export const settle = (
  { bookingOf, customers, offerings, opened, proposals, questions, sessions, size, threads }: Outfitter
): Effect.Effect<void, never, Storage> =>
  Effect.gen(function*() {
    const stores = {
      bookings: yield* BookingStore,
      conversations: yield* ConversationStore,
      customers: yield* CustomerStore,
      messages: yield* MessageStore,
      offerings: yield* OfferingStore,
      proposals: yield* ProposalStore,
      sessions: yield* SessionStore
    }
    const log = yield* EventLog
    const { run } = yield* UnitOfWork
    const writeInBatches = <Row>(
      count: number,
      makeRow: (at: number) => Row,
      put: (rows: ReadonlyArray<Row>) => Effect.Effect<void>
    ) =>
      Effect.forEach(
        Array.from({ length: Math.ceil(count / batch) }, (_, at) => at * batch),
        (from) => run(put(Array.from({ length: Math.min(batch, count - from) }, (_, at) => makeRow(from + at)))),
        { discard: true }
      )
    const of = <Row>(rows: ReadonlyArray<Row>, put: (rows: ReadonlyArray<Row>) => Effect.Effect<void>) =>
      writeInBatches(rows.length, (at) => pick(rows, at), put)
    yield* of(offerings, stores.offerings.put)
    yield* of(customers, stores.customers.put)
    yield* of([...sessions, ...opened], stores.sessions.put)
    yield* of([...threads, ...questions], (chunk) =>
      Effect.zipRight(stores.conversations.put(chunk), stores.messages.put(chunk.flatMap(makeMessages))))
    yield* of(Object.values(proposals).flat(), (chunk) =>
      Effect.forEach(chunk, (one) =>
        Effect.zipRight(stores.proposals.add(one), stores.proposals.put(one)), { discard: true }))
    const offeringWith = new Map(offerings.map((row) => [row.id, row]))
    const customerWith = new Map(customers.map((row) => [row.id, row]))
    yield* writeInBatches(size.bookings, bookingOf, (rows) =>
      Effect.zipRight(
        stores.bookings.put(rows),
        log.append(rows.map((booking) => {
          const offering = offeringWith.get(booking.offeringId) ?? pick(offerings, 0)
          const customer = customerWith.get(booking.customerId) ?? pick(customers, 0)
          return {
            orgId: booking.orgId,
            type: "booking.confirmed" as const,
            data: bookingView({ booking, offering, customer }),
            person: booking.customerId,
            createdAt: booking.createdAt
          }
        }))
      ))
  })
