/**
 * A guest who continuously books, holds, confirms, moves, and cancels, one request at a time, and records every
 * response.
 */
import type { Answer, Line, Request } from "./ask.ts"
import type { Dice } from "./dice.ts"
import type { Booked, Order, Wish } from "./Order.ts"
import type { Ware } from "./outfitter.ts"

export interface Guest {
  readonly orders: ReadonlyArray<Order>
  /** Sends requests until `until` returns true, then finishes the current request. */
  readonly go: (until: () => boolean) => Promise<void>
}

export interface Observer {
  /** Called when the service acknowledges a change that was requested at `sentAt`. */
  readonly acknowledged: (sentAt: number) => void
  readonly refused: () => void
  /** Called when an earlier attempt that got no response turns out to have created the booking. */
  readonly recovered: () => void
  /** Called with the number of attempts that received no response and were retried. */
  readonly retried: (attempts: number) => void
}

/** `holdsEnd` allows refusals with `hold_expired`, because another server's clock may be past the end of a hold. */
export const guest = (
  line: Line,
  wares: ReadonlyArray<Ware>,
  dice: Dice,
  observer: Observer,
  holdsEnd: boolean
): Guest => {
  const orders: Array<Order> = []
  const pickEmail = (): string => `guest${dice.between(1, 60)}@example.com`

  const recordAnswer = (order: Order, wish: Wish, answer: Answer): void => {
    observer.retried(answer.unknown + answer.late)
    for (let attempt = 0; attempt < answer.late; attempt++) order.late.push(wish)
    if (answer.status === 0) order.complaints.push(`${wish.kind} was never answered`)
    else if (isRefusal(order, wish, answer) || (holdsEnd && isEnded(wish, answer))) {
      observer.refused()
      if (order.answer.kind === "waiting") order.answer = { kind: "refused" }
    } else if (answer.status >= 300) {
      order.complaints.push(`${wish.kind} was answered ${answer.status} ${JSON.stringify(answer.body)}`)
    } else {
      observer.acknowledged(answer.sentAt)
      if (wish.kind === "book" && Date.parse(answer.body.created_at) < answer.sentAtClock) observer.recovered()
      const now = toBooked(answer.body)
      order.complaints.push(...findMismatches(order, wish, now, answer.body))
      order.answer = now
    }
  }

  const book = async (): Promise<void> => {
    const ware = dice.pick(wares)
    const order: Order = {
      key: dice.uuid(),
      offeringId: ware.offeringId,
      quantity: ware.kind === "appointment" ? 1 : dice.between(1, 3),
      answer: { kind: "waiting" },
      late: [],
      complaints: []
    }
    orders.push(order)
    const { sessionId, startsAt } = dice.pick(ware.places)
    const body = {
      offering_id: order.offeringId,
      ...(sessionId === null ? { starts_at: startsAt } : { session_id: sessionId }),
      ...(ware.kind === "rental" ? { periods: dice.between(1, 2) } : {}),
      ...(dice.percent(40) ? { hold_minutes: 1440 } : {}),
      quantity: order.quantity,
      customer: { email: pickEmail(), name: "Guest" },
      notes: order.key,
      idempotency_key: order.key
    }
    recordAnswer(order, { kind: "book" }, await line.ask({ method: "POST", path: "/bookings", body }))
  }

  const change = async (order: Order, booking: Booked): Promise<void> => {
    const wish = pickWish(order, booking, wares, dice)
    recordAnswer(order, wish, await line.ask(requestFor(booking.id, wish)))
  }

  return {
    orders,
    go: async (until) => {
      while (!until()) {
        const activeOrders = orders.flatMap((order) =>
          order.answer.kind === "booked" && order.answer.now.status !== "cancelled"
            ? [{ order, booked: order.answer }]
            : []
        )
        if (activeOrders.length === 0 || (activeOrders.length < 20 && dice.percent(50))) await book()
        else {
          const { booked, order } = dice.pick(activeOrders)
          await change(order, booked)
        }
      }
    }
  }
}

const pickWish = (order: Order, { now }: Booked, wares: ReadonlyArray<Ware>, dice: Dice): Wish => {
  if (now.status === "held" && dice.percent(50)) return { kind: "confirm" }
  if (dice.percent(50)) return { kind: "cancel" }
  const places = wares.find(({ offeringId }) => offeringId === order.offeringId)?.places ?? []
  return { kind: "move", to: dice.pick(places) }
}

const requestFor = (id: string, wish: Wish): Request => ({
  method: "POST",
  path: `/bookings/${id}/${wish.kind}`,
  ...(wish.kind === "move"
    ? { body: wish.to.sessionId === null ? { starts_at: wish.to.startsAt } : { session_id: wish.to.sessionId } }
    : {})
})

/**
 * Whether the response is one of the two allowed refusals: another guest took the last place, or this guest's earlier
 * cancellation took effect late.
 */
const isRefusal = ({ late }: Order, { kind }: Wish, { body, status }: Answer): boolean =>
  status === 409 &&
  ((body.error.code === "slot_full" && (kind === "book" || kind === "move")) ||
    (body.error.code === "booking_cancelled" && late.some((wish) => wish.kind === "cancel")))

const isEnded = ({ kind }: Wish, { body, status }: Answer): boolean =>
  status === 409 && body.error.code === "hold_expired" && (kind === "confirm" || kind === "move")

const toBooked = (body: Answer["body"]): Booked => ({
  kind: "booked",
  id: body.id,
  reference: body.reference,
  totalCents: body.total_cents,
  now: { status: body.status, startsAt: body.starts_at, sessionId: body.session_id }
})

/** Checks that a response is for this order and shows the requested change. */
const findMismatches = (order: Order, wish: Wish, now: Booked, body: Answer["body"]): ReadonlyArray<string> => [
  ...(body.notes === order.key && body.quantity === order.quantity
    ? []
    : [`${wish.kind} returned the booking of another order`]),
  ...(order.answer.kind === "booked" && order.answer.id !== now.id ? [`${wish.kind} returned another booking`] : []),
  ...(wish.kind === "cancel" && now.now.status !== "cancelled" ? ["cancel did not cancel"] : []),
  ...(wish.kind === "confirm" && now.now.status !== "confirmed" ? ["confirm did not confirm"] : []),
  ...(wish.kind === "move" && now.now.startsAt !== wish.to.startsAt ? ["move did not move"] : [])
]
